import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestFirst, dominates, frontierOf, stepBetween } from '../../core/dominance.js';

const at = (cost: number, quality: number) => ({ cost, quality });
const coarse = fc.record({ cost: fc.nat(6), quality: fc.nat(6) });

describe('dominance', () => {
  it('takes one strict advantage', () => {
    expect(dominates(at(1, 5), at(2, 5))).toBe(true);
    expect(dominates(at(1, 6), at(1, 5))).toBe(true);
    expect(dominates(at(1, 5), at(1, 5))).toBe(false);
    expect(dominates(at(2, 6), at(1, 5))).toBe(false);
    expect(dominates(at(0, 1), at(Number.POSITIVE_INFINITY, 1))).toBe(true);
  });

  it('is a strict order: no place dominates itself, nor one that dominates it, and what dominates is transitive', () => {
    fc.assert(
      fc.property(coarse, coarse, coarse, (a, b, c) => {
        expect(dominates(a, a)).toBe(false);
        expect(dominates(a, b) && dominates(b, a)).toBe(false);
        if (dominates(a, b) && dominates(b, c)) expect(dominates(a, c)).toBe(true);
        if (dominates(a, b)) expect(bestFirst(a, b)).toBe(-1);
      }),
    );
  });
});

describe('the frontier', () => {
  it('is what nothing dominates, cheapest first, equal places in the order given', () => {
    fc.assert(
      fc.property(fc.array(coarse, { maxLength: 25 }), (points) => {
        const kept = points.filter((one) => !points.some((other) => dominates(other, one)));
        expect(frontierOf(points)).toEqual(kept.toSorted((a, b) => a.cost - b.cost));
      }),
    );
    const [a, b] = [at(1, 1), at(1, 1)];
    expect(frontierOf([b, a])[0]).toBe(b);
  });

  it('of nothing is nothing, and holds infinite costs', () => {
    expect(frontierOf([])).toEqual([]);
    const far = [at(Number.POSITIVE_INFINITY, 2), at(Number.POSITIVE_INFINITY, 1), at(0, 1)];
    expect(frontierOf(far)).toEqual([far[2], far[0]]);
  });
});

it('a step costs what lies between, and has no rate where nothing does', () => {
  expect(stepBetween(at(1e15, 0.5), at(3e15, 1), 1e15)).toEqual({ cost: 2, quality: 0.5, perCost: 0.25 });
  expect(stepBetween(at(1, 0.5), at(1, 0.5), 1).perCost).toBeNull();
  expect(stepBetween(at(0, 0), at(5e-324, 1), 1e15).perCost).toBeNull();
});
