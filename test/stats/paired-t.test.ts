import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cohenDz } from '../../results/stats/effect.js';
import { moments } from '../../results/stats/moments.js';
import { pairedT } from '../../results/stats/paired-t.js';

test('what is undefined is null', () => {
  const nothing = { t: null, p: null, low: null, high: null };
  expect(pairedT(new Float64Array(0))).toEqual({ ...nothing, mean: null, sd: null, df: null });
  expect(pairedT(Float64Array.of(0.25))).toEqual({ ...nothing, mean: 0.25, sd: null, df: null });
  expect(pairedT(new Float64Array(7).fill(0.1))).toEqual({ ...nothing, mean: 0.1, sd: 0, df: 6 });
  expect(pairedT(Float64Array.of(0.3, 0.1 + 0.2)).p).toBeNull();
  expect(cohenDz(Float64Array.of(0.3, 0.1 + 0.2))).toBeNull();
  expect(cohenDz(new Float64Array(1))).toBeNull();
});

test('two values, by hand: t = 3 with one degree of freedom', () => {
  const { mean, sd, t, df, p, low } = pairedT(Float64Array.of(1, 2));
  expect({ mean, df }).toEqual({ mean: 1.5, df: 1 });
  expect(sd).toBeCloseTo(Math.SQRT1_2, 15);
  expect(t).toBeCloseTo(3, 14);
  expect(p).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(3), 14);
  expect(low).toBeCloseTo(1.5 - 0.5 * Math.tan(0.475 * Math.PI), 12);
});

test('the unit does not matter: huge and tiny deltas have the t and p of their like', () => {
  const deltas = Float64Array.of(0.5, -0.25, 0.125, 0.75, -0.5, 1);
  const { t, p } = pairedT(deltas);
  for (const unit of [2 ** 1022, 1e9, 2 ** -30]) {
    const other = pairedT(deltas.map((d) => d * unit));
    expect(other.t).toBeCloseTo(t ?? Number.NaN, 12);
    expect(other.p).toBeCloseTo(p ?? Number.NaN, 12);
  }
  expect(pairedT(deltas.map((d) => d * 1e-300))).toMatchObject({ t: null, p: null });
  expect(moments(Float64Array.of(1e-310, 3e-310)).mean).toBeCloseTo(2e-310, 320);
});

test('p in (0, 1], the interval holds the mean, a wider confidence gives a wider interval, zero is in it when p > 1 − confidence', () => {
  const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 3, maxLength: 40 });
  fc.assert(
    fc.property(values, (whole) => {
      const deltas = Float64Array.from(whole, (d) => d / 1000);
      const { mean, p, low, high } = pairedT(deltas, 0.9);
      fc.pre(mean !== null && p !== null && low !== null && high !== null);
      const wide = pairedT(deltas, 0.99);
      expect(p > 0 && p <= 1).toBe(true);
      expect(low <= mean && mean <= high).toBe(true);
      expect(wide.low !== null && wide.low < low && wide.high !== null && wide.high > high).toBe(true);
      if (Math.abs(p - 0.1) > 1e-9) expect(low <= 0 && 0 <= high).toBe(p > 0.1);
    }),
  );
});

test('NaN, infinities and a confidence of 1 are refused', () => {
  for (const bad of [Number.NaN, -Infinity]) {
    expect(() => pairedT(Float64Array.of(0, bad))).toThrow(expect.objectContaining({ code: 'not-finite' }));
    expect(() => cohenDz(Float64Array.of(bad))).toThrow(expect.objectContaining({ code: 'not-finite' }));
  }
  for (const confidence of [0, 1, 95, Number.NaN]) {
    expect(() => pairedT(Float64Array.of(1, 2), confidence)).toThrow(expect.objectContaining({ code: 'refused' }));
  }
});
