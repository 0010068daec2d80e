import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adjust, type Correction } from '../../results/stats/corrections.js';
import { comparisons, fixture } from './comparisons.js';

const methods = ['bonferroni', 'holm', 'hochberg', 'bh', 'by'] as const;
type Case = Readonly<Record<(typeof methods)[number] | 'p', readonly number[]>>;

test('the 20 families of the fixtures: 760 values', () => {
  const { multipleComparisons } = fixture<{ readonly multipleComparisons: readonly Case[] }>('stats/stats.json');
  const { near, wrong, counts } = comparisons();
  multipleComparisons.forEach((family, k) => {
    for (const method of methods) {
      adjust(family.p, method).forEach((value, i) => {
        near(value, family[method][i], `family ${k} ${method} ${i}`);
      });
    }
  });
  expect(wrong).toEqual([]);
  expect(counts.compared).toBe(760);
});

const family = fc.array(fc.oneof(fc.constantFrom(0, 0.01, 1), fc.double({ min: 0, max: 1, noNaN: true })), {
  maxLength: 12,
});

test('adjusted is at least raw and at most 1, keeps the order, and does not depend on the order of the family', () => {
  fc.assert(
    fc.property(family, fc.constantFrom<Correction>(...methods, 'none'), (p, method) => {
      const adjusted = adjust(p, method);
      adjusted.forEach((value, i) => {
        expect(value >= p[i] * (1 - 1e-15) && value <= 1).toBe(true);
        expect(p.some((other, j) => other <= p[i] && adjusted[j] > value)).toBe(false);
      });
      expect(adjust([...p].reverse(), method)).toEqual([...adjusted].reverse());
    }),
  );
});

test('BH ≤ Hochberg ≤ Holm ≤ Bonferroni, BH ≤ BY', () => {
  fc.assert(
    fc.property(family, (p) => {
      const [bonferroni, holm, hochberg, bh, by] = methods.map((method) => adjust(p, method));
      p.forEach((_, i) => {
        expect(bh[i] <= hochberg[i] + 1e-15 && hochberg[i] <= holm[i] && holm[i] <= bonferroni[i]).toBe(true);
        expect(bh[i] <= by[i]).toBe(true);
      });
    }),
  );
});

test('one p stays as it is, none gives none, and what is no p is refused', () => {
  for (const method of methods) {
    expect(adjust([0.03], method)).toEqual([0.03]);
    expect(adjust([], method)).toEqual([]);
    expect(() => adjust([0.1, 1.2], method)).toThrow(expect.objectContaining({ code: 'refused' }));
    expect(() => adjust([Number.NaN], method)).toThrow(expect.objectContaining({ code: 'not-finite' }));
  }
});
