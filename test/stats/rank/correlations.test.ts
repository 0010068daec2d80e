import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kendallTauB } from '../../../results/stats/rank/kendall.js';
import { spearman } from '../../../results/stats/rank/spearman.js';
import { tauAP, tauAPa, tauAPb } from '../../../results/stats/rank/tau-ap.js';
import { comparisons, fixture } from '../comparisons.js';

interface Correlation {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly spearman: number | null;
  readonly kendallTauB: number | null;
  readonly tauAPb: number | null;
  readonly tauAP_x_truth?: number;
  readonly tauAPa_x_truth?: number;
}

test('the 80 correlations of the fixtures: 400 values, nulls included', () => {
  const { correlations } = fixture<{ readonly correlations: readonly Correlation[] }>('rankcorr/rankcorr.json');
  const { near, wrong, counts } = comparisons();
  correlations.forEach(({ x, y, ...expected }, k) => {
    const isTied = (values: readonly number[]): boolean => new Set(values).size < values.length;
    near(spearman(x, y), expected.spearman, `spearman ${k}`);
    near(kendallTauB(x, y), expected.kendallTauB, `kendall ${k}`);
    near(tauAPb(x, y), expected.tauAPb, `tau AP b ${k}`);
    near(tauAPa(x, y), expected.tauAPa_x_truth ?? null, `tau AP a ${k}`);
    const untied = isTied(x) || isTied(y) ? null : (expected.tauAP_x_truth ?? expected.tauAPa_x_truth ?? null);
    near(tauAP(x, y), untied, `tau AP ${k}`);
  });
  expect(wrong).toEqual([]);
  expect(counts.compared).toBe(400);
});

/** Pair by pair, as the definition says. */
function naiveTauB(x: readonly number[], y: readonly number[]): number | null {
  let [sum, tiedX, tiedY, pairs] = [0, 0, 0, 0];
  x.forEach((_, i) => {
    for (let j = 0; j < i; j++) {
      const [a, b] = [Math.sign(x[i] - x[j]), Math.sign(y[i] - y[j])];
      sum += a * b;
      tiedX += a === 0 ? 1 : 0;
      tiedY += b === 0 ? 1 : 0;
      pairs++;
    }
  });
  const size = (pairs - tiedX) * (pairs - tiedY);
  return size === 0 ? null : sum / Math.sqrt(size);
}

/** τ_AP of one order without ties. */
function tauOfOrder(truth: readonly number[], order: readonly number[]): number {
  const shares = order
    .slice(1)
    .map((item, i) => order.slice(0, i + 1).filter((j) => truth[j] > truth[item]).length / (i + 1));
  return (2 * shares.reduce((sum, share) => sum + share, 0)) / shares.length - 1;
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}

const ties = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })), { maxLength: 25 });

test('tau-b is what counting pairs gives', () => {
  fc.assert(
    fc.property(ties, (pairs) => {
      const [x, y] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
      const naive = naiveTauB(x, y);
      if (naive === null) expect(kendallTauB(x, y)).toBeNull();
      else expect(kendallTauB(x, y)).toBeCloseTo(naive, 14);
    }),
  );
});

test('tau AP a is the mean over all orders of the ties', () => {
  const cases = fc.integer({ min: 2, max: 6 }).chain((n) =>
    fc.tuple(
      fc.shuffledSubarray(
        Array.from({ length: n }, (_, i) => i),
        { minLength: n },
      ),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: n, maxLength: n }),
    ),
  );
  fc.assert(
    fc.property(cases, ([truth, estimate]) => {
      const orders = permutations(estimate.map((_, i) => i)).filter((order) =>
        order.every((item, i) => i === 0 || estimate[order[i - 1]] >= estimate[item]),
      );
      const mean = orders.reduce((sum, order) => sum + tauOfOrder(truth, order), 0) / orders.length;
      expect(tauAPa(truth, estimate)).toBeCloseTo(mean, 12);
    }),
    { numRuns: 60 },
  );
});

test('a ranking agrees with itself, not with its reverse; symmetric ones are; all stay within [−1, 1]', () => {
  fc.assert(
    fc.property(ties, (pairs) => {
      const [x, y] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
      const reversed = x.map((a) => -a);
      for (const measure of [spearman, kendallTauB]) {
        if (new Set(x).size < 2) expect(measure(x, x)).toBeNull();
        else expect([measure(x, x), measure(x, reversed)]).toEqual([1, -1]);
      }
      for (const measure of [spearman, kendallTauB, tauAPb]) {
        const value = measure(x, y);
        expect(measure(y, x)).toEqual(value);
        if (value !== null) expect(Math.abs(value)).toBeLessThanOrEqual(1 + 1e-15);
      }
    }),
  );
  expect(tauAP([3, 2, 1], [30, 20, 10])).toBe(1);
  expect(tauAP([3, 2, 1], [10, 20, 30])).toBe(-1);
  expect(tauAP([1, 2, 3, 4], [1, 2, 4, 3])).toBeLessThan(tauAP([1, 2, 3, 4], [2, 1, 3, 4]) ?? 0);
});

test('none, one, all equal and ties on the wrong side are null; infinities have ranks; NaN and unequal lengths are refused', () => {
  for (const measure of [spearman, kendallTauB, tauAP, tauAPa, tauAPb]) {
    expect(measure([], [])).toBeNull();
    expect(measure([1], [2])).toBeNull();
    expect(measure([1, 1, 1], [1, 2, 3])).toBeNull();
    expect(measure([Infinity, 1, -Infinity], [1e308, 0, -1e-300])).toBe(1);
    expect(() => measure([1, Number.NaN], [1, 2])).toThrow(expect.objectContaining({ code: 'not-finite' }));
    expect(() => measure([1, 2], [1])).toThrow(expect.objectContaining({ code: 'refused' }));
  }
  expect(tauAP([1, 2, 3], [1, 1, 2])).toBeNull();
  expect(tauAPa([1, 2, 3], [7, 7, 7])).toBe(0);
});
