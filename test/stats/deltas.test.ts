import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairedDeltas, summarizeDeltas } from '../../results/stats/deltas.js';

test('the summary of a few deltas, by hand', () => {
  const summary = summarizeDeltas(Float64Array.of(0.5, -0.25, 0, -0.5, 1e-12, -0.25, -1e-12, 0.5, 1));
  expect(summary).toEqual({
    n: 9,
    mean: 1 / 9,
    median: 0,
    percentiles: { p5: expect.closeTo(-0.4, 14), p25: -0.25, p75: 0.5, p95: expect.closeTo(0.8, 14) },
    improved: 3,
    tied: 3,
    regressed: 3,
    worst: [3, 1, 5],
  });
});

test('none has nothing, one is its own quantile, a limit cuts the worst', () => {
  expect(summarizeDeltas(new Float64Array(0))).toEqual({
    n: 0,
    mean: null,
    median: null,
    percentiles: null,
    improved: 0,
    tied: 0,
    regressed: 0,
    worst: [],
  });
  expect(summarizeDeltas(Float64Array.of(-3))).toMatchObject({
    median: -3,
    percentiles: { p5: -3, p95: -3 },
    worst: [0],
  });
  expect(summarizeDeltas(Float64Array.of(-3, -4, 1, -5), 2).worst).toEqual([3, 1]);
  expect(summarizeDeltas(Float64Array.of(-3, -4), 0)).toMatchObject({ worst: [], regressed: 2 });
});

test('tied means within 1e-12, whatever the sign', () => {
  expect(summarizeDeltas(Float64Array.of(1.1e-12, -1.1e-12, 9e-13, -9e-13))).toMatchObject({
    improved: 1,
    tied: 2,
    regressed: 1,
  });
});

test('percentiles are those of the sorted deltas, the input stays, and the counts add up', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 }), (values) => {
      const deltas = Float64Array.from(values);
      const { n, median, percentiles, improved, tied, regressed, worst } = summarizeDeltas(deltas, 1000);
      const sorted = deltas.slice().sort();
      const at = (q: number): number => {
        const place = (n - 1) * q;
        const below = sorted[Math.floor(place)];
        return below + (sorted[Math.ceil(place)] - below) * (place - Math.floor(place));
      };
      expect(median).toBeCloseTo(at(0.5), 14);
      expect(percentiles?.p5).toBeCloseTo(at(0.05), 14);
      expect(percentiles?.p25).toBeCloseTo(at(0.25), 14);
      expect(percentiles?.p95).toBeCloseTo(at(0.95), 14);
      expect(improved + tied + regressed).toBe(n);
      expect(worst.length).toBe(regressed);
      worst.forEach((place, i) => {
        const next = worst[i + 1];
        if (next !== undefined)
          expect(deltas[place] < deltas[next] || (deltas[place] === deltas[next] && place < next)).toBe(true);
      });
      expect([...deltas]).toEqual(values);
    }),
  );
});

test('deltas are candidate minus base; what does not pair or is no number is refused', () => {
  expect([...pairedDeltas(Float64Array.of(1, 2), Float64Array.of(4, 1))]).toEqual([3, -1]);
  expect(() => pairedDeltas(Float64Array.of(1), new Float64Array(2))).toThrow(
    expect.objectContaining({ code: 'refused' }),
  );
  expect(() => summarizeDeltas(Float64Array.of(Number.NaN))).toThrow(expect.objectContaining({ code: 'not-finite' }));
});
