import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dominance } from '../../runners/cost/rerank-frontier.js';

const at = (id: string, flops: number, quality: number) => ({ id, flops, quality });

describe('dominance', () => {
  it('the cheaper of equals and the better of equals dominate, and a PetaFLOP more is priced along the frontier', () => {
    const points = [at('best', 4e15, 0.7), at('dear', 3e15, 0.5), at('cheap', 1e15, 0.5), at('worse', 1e15, 0.4)];
    const { frontier, dominated } = dominance(points);
    expect(frontier.map(({ point }) => point.id)).toEqual(['cheap', 'best']);
    expect(frontier[0].gain).toBeNull();
    expect(frontier[1].gain?.pflop).toBe(3);
    expect(frontier[1].gain?.quality).toBeCloseTo(0.2, 12);
    expect(frontier[1].gain?.perPflop).toBeCloseTo(0.2 / 3, 12);
    const by = dominated.map((row) => [row.point.id, row.by.map(({ id }) => id)]);
    expect(by).toEqual([
      ['dear', ['cheap']],
      ['worse', ['cheap']],
    ]);
  });

  it('equals in both dominate neither the other, and the second buys nothing', () => {
    const { frontier, dominated } = dominance([at('a', 1e15, 0.5), at('b', 1e15, 0.5)]);
    expect(frontier.map(({ gain }) => gain)).toEqual([null, null]);
    expect(dominated).toEqual([]);
  });

  it('nothing, and one', () => {
    expect(dominance([])).toEqual({ frontier: [], dominated: [] });
    expect(dominance([at('a', 0, 0)]).frontier).toHaveLength(1);
  });

  it('every point is on the frontier or dominated by one that is; cost and quality rise along it', () => {
    const point = fc.record({ flops: fc.integer({ min: 0, max: 20 }), quality: fc.integer({ min: 0, max: 20 }) });
    const property = fc.property(fc.array(point, { maxLength: 25 }), (points) => {
      const { frontier, dominated } = dominance(points);
      expect(frontier.length + dominated.length).toBe(points.length);
      const kept = new Set(frontier.map((step) => step.point));
      for (const { by } of dominated) expect(by.some((other) => kept.has(other))).toBe(true);
      for (let i = 1; i < frontier.length; i++) {
        const [before, step] = [frontier[i - 1].point, frontier[i].point];
        const equal = before.flops === step.flops && before.quality === step.quality;
        expect(equal || (before.flops < step.flops && before.quality < step.quality)).toBe(true);
      }
    });
    fc.assert(property);
  });
});
