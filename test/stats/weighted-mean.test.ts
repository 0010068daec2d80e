import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meanInterval } from '../../results/stats/mean-interval.js';
import { weightedInterval, weightedMean } from '../../results/stats/weighted-mean.js';

const plan = { resamples: 500, seed: 17, confidence: 0.95 };
const of = (...values: number[]) => Float64Array.from(values);

test('a weighted mean, and the values of which it is the plain one', () => {
  const { mean, linearized } = weightedMean(of(1, 0, 0.5), of(1, 2, 1));
  expect(mean).toBeCloseTo(0.375, 15);
  // 0.375 + w / (4/3) · (x − 0.375)
  expect([...linearized].map((value) => Number(value.toFixed(12)))).toEqual([0.84375, -0.1875, 0.46875]);
});

test('law: weights of one size are no weights, digit by digit where the size is a power of two', () => {
  const thousandths = fc.integer({ min: -1000, max: 1000 }).map((value) => value / 1000);
  const values = fc.array(thousandths, { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(values, fc.constantFrom(0.5, 1, 4, 1024), (drawn, weight) => {
      const plainly = meanInterval(of(...drawn), plan);
      const weighted = weightedInterval(of(...drawn), of(...drawn.map(() => weight)), plan);
      expect(weighted).toEqual(plainly);
    }),
    { numRuns: 200 },
  );
});

test('law: linearized values have the weighted mean as theirs', () => {
  const pairs = fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: 1, max: 1e6 })), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(pairs, (drawn) => {
      const { mean, linearized } = weightedMean(of(...drawn.map(([x]) => x)), of(...drawn.map(([, w]) => w)));
      const naive = drawn.reduce((sum, [x, w]) => sum + x * w, 0) / drawn.reduce((sum, [, w]) => sum + w, 0);
      expect(mean).toBeCloseTo(naive, 9);
      expect(linearized.reduce((sum, value) => sum + value, 0) / linearized.length).toBeCloseTo(mean, 9);
    }),
  );
});

test('equal values leave nothing to resample', () => {
  expect(weightedInterval(of(0.25, 0.25), of(1, 9), plan)).toEqual({ low: 0.25, high: 0.25, method: 'none' });
});
