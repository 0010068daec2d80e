import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bootstrapMeans, percentileInterval } from '../../results/stats/bootstrap.js';
import { bcaInterval } from '../../results/stats/intervals.js';

const plan = { resamples: 2000, seed: 11 };
const draws = (values: Float64Array): Float64Array => bootstrapMeans([values], plan)[0];

test('of symmetric values the interval holds the mean and is near the percentile interval', () => {
  const half = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 4, maxLength: 30 });
  fc.assert(
    fc.property(half, (whole) => {
      const values = Float64Array.from([...whole, ...whole.map((v) => -v)], (v) => 0.5 + v / 4000);
      const bca = bcaInterval(values, draws(values));
      const { low, high } = percentileInterval(draws(values));
      expect(bca).not.toBeNull();
      if (bca === null) return;
      expect(Math.abs(bca.acceleration)).toBeLessThan(1e-9);
      expect(bca.low < 0.5 && 0.5 < bca.high).toBe(true);
      expect(Math.abs(bca.low - low) < (high - low) / 4 && Math.abs(bca.high - high) < (high - low) / 4).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('a long upper tail moves both ends up, and mirrored values mirror the interval', () => {
  const values = Float64Array.from({ length: 40 }, (_, i) => (i / 40) ** 6);
  const mirrored = values.map((v) => -v);
  const bca = bcaInterval(values, draws(values));
  const mirror = bcaInterval(mirrored, draws(mirrored));
  const { low, high } = percentileInterval(draws(values));
  expect(bca !== null && bca.low > low && bca.high > high && bca.acceleration > 0).toBe(true);
  expect(mirror?.low).toBeCloseTo(-(bca?.high ?? Number.NaN), 12);
  expect(mirror?.high).toBeCloseTo(-(bca?.low ?? Number.NaN), 12);
});

test('null for none, one, equal values, and a mean outside its distribution', () => {
  expect(bcaInterval(new Float64Array(0), new Float64Array(0))).toBeNull();
  expect(bcaInterval(Float64Array.of(0.5), Float64Array.of(0.5))).toBeNull();
  expect(bcaInterval(new Float64Array(9).fill(0.1), draws(new Float64Array(9).fill(0.1)))).toBeNull();
  expect(bcaInterval(Float64Array.of(0, 1), Float64Array.of(2, 3))).toBeNull();
});

test('two values; a confidence beyond the pole ends at the last draws', () => {
  const two = Float64Array.of(0, 1);
  expect(bcaInterval(two, draws(two))).toMatchObject({ low: 0, high: 1 });
  const skewed = Float64Array.from({ length: 30 }, (_, i) => (i === 0 ? 1 : 0));
  const all = draws(skewed);
  const widest = bcaInterval(skewed, all, 1 - 1e-14);
  expect(widest?.high).toBe(all.reduce((most, v) => Math.max(most, v), 0));
  expect(widest?.highLevel).toBe(1);
});

test('huge values keep their levels', () => {
  const values = Float64Array.from({ length: 25 }, (_, i) => (i / 25) ** 3);
  const huge = values.map((v) => v * 2 ** 900);
  const { low, lowLevel } = bcaInterval(values, draws(values)) ?? { low: 0, lowLevel: 0 };
  expect(bcaInterval(huge, draws(huge))).toMatchObject({ low: low * 2 ** 900, lowLevel });
});

test('NaN is refused in values and distribution', () => {
  const bad = Float64Array.of(0, Number.NaN);
  expect(() => bcaInterval(bad, bad)).toThrow(expect.objectContaining({ code: 'not-finite' }));
  expect(() => bcaInterval(Float64Array.of(0, 1), bad)).toThrow(expect.objectContaining({ code: 'not-finite' }));
  expect(() => bcaInterval(Float64Array.of(0, 1), Float64Array.of(0, 1), 1)).toThrow(/strictly between/);
});
