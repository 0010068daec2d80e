import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minimumDetectableEffect, powerOfPairedT, queriesNeeded } from '../../results/stats/effect.js';
import { normalQuantile } from '../../results/stats/special/normal.js';
import { comparisons, fixture } from './comparisons.js';

type Row = Readonly<Record<'n' | 'alpha' | 'power' | 'dz' | 'zApprox', number>>;
const { minimumDetectableEffect: rows } = fixture<{ readonly minimumDetectableEffect: readonly Row[] }>(
  'stats/stats.json',
);
const errors = { alpha: 0.05, power: 0.8 };

test('the 54 rows of the fixtures: 162 values', () => {
  const { special, exactly, wrong, counts } = comparisons();
  for (const { n, alpha, power, dz, zApprox } of rows) {
    special(minimumDetectableEffect({ n, sd: 1, alpha, power }), dz, `n ${n} alpha ${alpha} power ${power}`);
    special((normalQuantile(1 - alpha / 2) + normalQuantile(power)) / Math.sqrt(n), zApprox, `normal ${n}`);
    exactly(queriesNeeded({ sd: 1, effect: dz * (1 + 1e-9), alpha, power }), n, `queries for ${dz}`);
  }
  expect(wrong).toEqual([]);
  expect(counts.compared).toBe(162);
});

test('the effect scales with sd, falls with n, and its power is what was asked for', () => {
  const share = fc.double({ min: 0.001, max: 0.2, noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 3000 }),
      share,
      fc.double({ min: 0.25, max: 0.99, noNaN: true }),
      (n, alpha, power) => {
        const dz = minimumDetectableEffect({ n, sd: 1, alpha, power }) ?? Number.NaN;
        expect(powerOfPairedT(dz, { n, alpha })).toBeCloseTo(power, 10);
        expect(minimumDetectableEffect({ n, sd: 0.2, alpha, power })).toBeCloseTo(0.2 * dz, 12);
        expect(minimumDetectableEffect({ n: n + 1, sd: 1, alpha, power })).toBeLessThan(dz);
      },
    ),
    { numRuns: 60 },
  );
});

test('the fewest queries: one fewer lacks power', () => {
  const effect = fc.double({ min: 0.02, max: 3, noNaN: true });
  fc.assert(
    fc.property(effect, (dz) => {
      const n = queriesNeeded({ sd: 1, effect: -dz, ...errors }) ?? Number.NaN;
      expect(powerOfPairedT(dz, { n, alpha: 0.05 })).toBeGreaterThanOrEqual(0.8);
      if (n > 2) expect(powerOfPairedT(dz, { n: n - 1, alpha: 0.05 })).toBeLessThan(0.8);
    }),
    { numRuns: 60 },
  );
});

test('without an effect the power is alpha', () => {
  for (const n of [2, 3, 30]) expect(powerOfPairedT(0, { n, alpha: 0.05 })).toBeCloseTo(0.05, 12);
  expect(minimumDetectableEffect({ n: 9, sd: 1, alpha: 0.5, power: 0.5 })).toBe(0);
  expect(queriesNeeded({ sd: 1, effect: 0.1, alpha: 0.5, power: 0.4 })).toBe(2);
});

test('the normal formula takes over without a jump', () => {
  const dz = (n: number): number => minimumDetectableEffect({ n, sd: 1, ...errors }) ?? Number.NaN;
  for (const n of [990_000, 1_010_000]) {
    expect(Math.abs((queriesNeeded({ sd: 1, effect: dz(n), ...errors }) ?? 0) - n)).toBeLessThanOrEqual(1);
  }
  expect(queriesNeeded({ sd: 1, effect: 1e-7, ...errors })).toBeGreaterThan(7.8e14);
});

test('null where nothing decides; what is no share or no number is refused', () => {
  expect(queriesNeeded({ sd: 0.2, effect: 0, ...errors })).toBeNull();
  expect(queriesNeeded({ sd: 0, effect: 0.1, ...errors })).toBeNull();
  expect(minimumDetectableEffect({ n: 1, sd: 0.2, ...errors })).toBeNull();
  expect(minimumDetectableEffect({ n: 50, sd: 0, ...errors })).toBeNull();
  expect(queriesNeeded({ sd: 1, effect: 1e9, ...errors })).toBe(2);
  for (const bad of [0, 1, Number.NaN]) {
    expect(() => minimumDetectableEffect({ n: 5, sd: 1, alpha: bad, power: 0.8 })).toThrow(/alpha/);
    expect(() => queriesNeeded({ sd: 1, effect: 1, alpha: 0.05, power: bad })).toThrow(/power/);
  }
  expect(() => queriesNeeded({ sd: Number.NaN, effect: 1, ...errors })).toThrow(/must be finite/);
  expect(() => queriesNeeded({ sd: 1, effect: Number.NaN, ...errors })).toThrow(/must be finite/);
});
