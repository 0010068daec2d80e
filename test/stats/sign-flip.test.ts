import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countSignFlips, sampledSignFlip, signFlip } from '../../results/stats/sign-flip.js';

const plan = { resamples: 999, seed: 7 };

/** All 2ⁿ patterns, one after the other. */
function naiveCount(deltas: readonly number[]): number {
  const seen = Math.abs(deltas.reduce((sum, d) => sum + d, 0));
  let count = 0;
  for (let pattern = 0; pattern < 2 ** deltas.length; pattern++) {
    const sum = deltas.reduce((total, d, i) => total + ((pattern >> i) & 1 ? d : -d), 0);
    if (Math.abs(sum) >= seen - 1e-12) count++;
  }
  return count;
}

describe('the exact test', () => {
  test('counts what enumeration counts', () => {
    const delta = fc.oneof(
      fc.constantFrom(0, 0.25, -0.25, 0.5),
      fc.integer({ min: -900, max: 900 }).map((d) => d / 1000),
    );
    fc.assert(
      fc.property(fc.array(delta, { maxLength: 11 }), (deltas) => {
        expect(countSignFlips(Float64Array.from(deltas))).toEqual({
          count: naiveCount(deltas),
          total: 2 ** deltas.length,
        });
      }),
    );
  });

  test('twenty deltas are counted, twenty-one are drawn', () => {
    const deltas = Float64Array.from({ length: 21 }, (_, i) => (i % 5) / 10 - 0.15);
    expect(signFlip(deltas.subarray(0, 20), plan)).toMatchObject({ exact: true, resamples: 2 ** 20 });
    expect(signFlip(deltas.subarray(0, 20), plan).p).toBe(naiveCount([...deltas.subarray(0, 20)]) / 2 ** 20);
    expect(signFlip(deltas, plan)).toMatchObject({ exact: false, resamples: 999 });
  });

  test('none, one, all zero, all equal', () => {
    expect(signFlip(new Float64Array(0), plan)).toEqual({ p: 1, exact: true, resamples: 1 });
    expect(signFlip(Float64Array.of(0.3), plan).p).toBe(1);
    expect(signFlip(new Float64Array(12), plan).p).toBe(1);
    expect(signFlip(new Float64Array(10).fill(0.1), plan).p).toBe(2 / 1024);
    expect(signFlip(new Float64Array(30), plan).p).toBe(1);
  });

  test('the same number added in another order is the same sum', () => {
    expect(signFlip(Float64Array.of(0.1, 0.2, 0.3, -0.3, -0.2, -0.1), plan).p).toBe(1);
    expect(signFlip(Float64Array.of(0.1, 0.2, -0.3), plan).p).toBe(1);
  });

  test('huge numbers count as small ones do, and noise below 1e-12 as nothing', () => {
    const deltas = Float64Array.of(0.5, -0.25, 0.125, 0.75, -0.5, 1);
    const { p } = signFlip(deltas, plan);
    expect(
      signFlip(
        deltas.map((d) => d * 2 ** 1023),
        plan,
      ).p,
    ).toBe(p);
    expect(
      signFlip(
        deltas.map((d) => d * 1e15),
        plan,
      ).p,
    ).toBe(p);
    expect(
      signFlip(
        deltas.map((d) => d * 1e-14),
        plan,
      ).p,
    ).toBe(1);
  });
});

describe('the drawn test', () => {
  test('p lies in (0, 1], reproduces from its seed, and does not see the sign of all deltas', () => {
    const deltas = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 21, maxLength: 60 });
    fc.assert(
      fc.property(deltas, fc.nat(), (values, seed) => {
        const some = { resamples: 50, seed };
        const once = signFlip(Float64Array.from(values), some);
        expect(once.p).toBeGreaterThan(0);
        expect(once.p).toBeLessThanOrEqual(1);
        expect(signFlip(Float64Array.from(values), some)).toEqual(once);
        expect(
          signFlip(
            Float64Array.from(values, (v) => -v),
            some,
          ),
        ).toEqual(once);
      }),
    );
  });

  test('nears the exact one', () => {
    const deltas = Float64Array.from({ length: 14 }, (_, i) => Math.sin(3 * i) / 4 + 0.08);
    const exact = signFlip(deltas, plan).p;
    const error = Math.sqrt((exact * (1 - exact)) / 20000);
    expect(Math.abs(sampledSignFlip(deltas, { resamples: 20000, seed: 3 }).p - exact)).toBeLessThan(4 * error);
  });

  test('NaN and infinities are refused', () => {
    for (const bad of [Number.NaN, Infinity]) {
      expect(() => signFlip(Float64Array.of(0.1, bad), plan)).toThrow(
        expect.objectContaining({ code: 'not-finite', message: expect.stringContaining('position 1') }),
      );
    }
  });
});
