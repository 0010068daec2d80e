import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearestRank } from '../../core/nearest-rank.js';
import { mulberry32 } from '../../core/random.js';
import { pairedRatio } from '../../results/latency/paired.js';
import { percentileRange, rangeRanks } from '../../results/latency/percentiles.js';
import type { Sample } from '../../results/latency/samples.js';
import { summarizeTimes } from '../../results/latency/summary.js';
import { measuredOf, recordOf, sampleOf } from './records.js';

const ascending = (values: readonly number[]) => Float64Array.from(values).sort();
const counting = (n: number) => Float64Array.from({ length: n }, (_, i) => i + 1);

describe('percentiles', () => {
  test('are the least value that at least that share of all do not exceed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1 }),
        fc.constantFrom(0.5, 0.95, 0.99),
        (values, share) => {
          const sorted = ascending(values);
          const naive = sorted.find(
            (value) => values.filter((other) => other <= value).length >= share * values.length - 1e-9,
          );
          expect(nearestRank(sorted, share)).toBe(naive);
        },
      ),
    );
    expect(nearestRank(new Float64Array(), 0.5)).toBeUndefined();
    expect(nearestRank(counting(3), 0)).toBe(1);
    expect([0.5, 0.95, 0.99].map((share) => nearestRank(counting(100), share))).toEqual([50, 95, 99]);
  });

  test('have the intervals of the tables of order statistics', () => {
    // Of 100 values the median lies between the 40th and the 61st, of 10 between the 2nd and the 9th
    // (Conover 1999, table of confidence intervals for the median, 95 %).
    expect(rangeRanks(100, 0.5, 0.025)).toEqual({ low: 40, high: 61 });
    expect(rangeRanks(10, 0.5, 0.025)).toEqual({ low: 2, high: 9 });
    expect(percentileRange(counting(100), 0.5)).toEqual({ low: 40, high: 61 });
  });

  test('have none where so few values cannot bound them', () => {
    // 0.99^367 = 0.0250024, 0.99^368 = 0.024752.
    expect(percentileRange(counting(367), 0.99)).toBeNull();
    expect(percentileRange(counting(368), 0.99)?.high).toBe(368);
    expect(percentileRange(counting(50), 0.99)).toBeNull();
    // 0.95^71 = 0.0262, 0.95^72 = 0.0249; 0.5^5 = 0.031, 0.5^6 = 0.0156.
    expect([71, 72].map((n) => percentileRange(counting(n), 0.95) === null)).toEqual([true, false]);
    expect([5, 6].map((n) => percentileRange(counting(n), 0.5) === null)).toEqual([true, false]);
    expect([0, 1].map((n) => percentileRange(counting(n), 0.5))).toEqual([null, null]);
  });

  test('lie in them at least as often as is said', () => {
    // Of an exponential distribution, whose percentiles are known: −ln(1 − p).
    const random = mulberry32(5);
    const trials = 2000;
    for (const [n, share] of [
      [60, 0.5],
      [150, 0.95],
    ] as const) {
      let held = 0;
      for (let trial = 0; trial < trials; trial++) {
        const range = percentileRange(ascending(Array.from({ length: n }, () => -Math.log(1 - random()))), share);
        const truth = -Math.log(1 - share);
        if (range !== null && range.low <= truth && truth <= range.high) held++;
      }
      // Three standard errors below 95 %.
      expect(held / trials).toBeGreaterThan(0.95 - 3 * Math.sqrt((0.95 * 0.05) / trials));
    }
  });
});

const options = { resolutionMs: 0.001, unanswered: 0 };

describe('times', () => {
  test('below five steps of the clock are not told, and never 0', () => {
    expect(summarizeTimes([0, 0, 0.0049], options)).toMatchObject({ p50: null, p95: null, max: null, n: 3 });
    expect(summarizeTimes([0.005, 0.006, 0.007], options)).toMatchObject({ p50: 0.006, max: 0.007 });
    expect(summarizeTimes([0.005], options)).toMatchObject({ p50: 0.005, mean: 0.005, max: 0.005 });
    expect(summarizeTimes([0, 0], options).mean).toBeNull();
    expect(summarizeTimes([0, 0, 1], options)).toMatchObject({ p50: null, p95: 1, max: 1 });
  });

  test('have intervals whose ends are not told below the clock either', () => {
    const half = summarizeTimes([...Array(10).fill(0), ...Array(10).fill(1)], options);
    expect(half.intervals.p50).toEqual({ low: null, high: 1 });
    const exact = summarizeTimes(Array(20).fill(0.005), options);
    expect(exact.intervals.p50).toEqual({ low: 0.005, high: 0.005 });
    expect(summarizeTimes(Array(20).fill(0), options).intervals.p50).toEqual({ low: null, high: null });
  });

  test('of requests without an answer are longer than any', () => {
    const summary = summarizeTimes(Array(98).fill(2), { resolutionMs: 0.001, unanswered: 2 });
    expect(summary).toMatchObject({ n: 98, p50: 2, p95: 2, p99: null, mean: 2, max: 2 });
    expect(summary.intervals.p95).toBeNull();
    expect(summary.intervals.p50).toEqual({ low: 2, high: 2 });
  });

  test('of nothing are nothing', () => {
    expect(summarizeTimes([], options)).toEqual({
      n: 0,
      p50: null,
      p95: null,
      p99: null,
      mean: null,
      max: null,
      intervals: { p50: null, p95: null, p99: null },
    });
  });
});

describe('two systems in turns', () => {
  const paired = { a: 'a', b: 'b' };
  const record = (a: readonly number[], b: readonly number[], queryOf = (i: number) => i) =>
    recordOf({
      paired,
      measured: [a, b].map((times, side) =>
        measuredOf({
          system: side === 0 ? 'a' : 'b',
          samples: times.map((ms, i) => sampleOf({ query: queryOf(i), endMs: ms })),
        }),
      ),
    });

  test('the ratio is the geometric mean, whatever slows both of a pair down', () => {
    const noise = mulberry32(2);
    const slow = Array.from({ length: 200 }, () => 1 + 30 * noise());
    const result = pairedRatio(
      record(
        slow.map((ms) => 3 * ms),
        slow,
      ),
    );
    expect(result?.ratio).toBeCloseTo(3, 10);
    expect(result?.low).toBeCloseTo(3, 10);
    expect(result?.high).toBeCloseTo(3, 10);
    expect(result).toMatchObject({ a: 'a', b: 'b', n: 200 });
  });

  test('the interval holds the ratio and narrows with the queries', () => {
    const noise = mulberry32(4);
    const times = (n: number, factor: number) => Array.from({ length: n }, () => factor * Math.exp(noise() - 0.5));
    const few = pairedRatio(record(times(20, 2), times(20, 1)));
    const many = pairedRatio(record(times(400, 2), times(400, 1)));
    const width = (one: typeof few) => Math.log((one?.high ?? 0) / (one?.low ?? 1));
    for (const one of [few, many]) {
      expect(one?.low).toBeLessThan(one?.ratio ?? 0);
      expect(one?.high).toBeGreaterThan(one?.ratio ?? 9);
    }
    expect(width(many)).toBeLessThan(width(few) / 2);
    expect(many?.p50Ratio.low).toBeLessThan(2.2);
    expect(many?.p50Ratio.high).toBeGreaterThan(1.8);
  });

  test('turned round it is the inverse', () => {
    const [a, b] = [
      [2, 5, 4, 9],
      [1, 4, 4, 2],
    ];
    const [one, other] = [pairedRatio(record(a, b)), pairedRatio(record(b, a))];
    expect((one?.ratio ?? 0) * (other?.ratio ?? 0)).toBeCloseTo(1, 12);
    expect((one?.low ?? 0) * (other?.high ?? 0)).toBeCloseTo(1, 12);
  });

  test('a query asked several times is one value', () => {
    const result = pairedRatio(record([2, 8, 3], [1, 1, 1], (i) => (i < 2 ? 0 : 1)));
    // Of query 0 √(2 · 8) = 4, of query 1 3.
    expect(result?.n).toBe(2);
    expect(result?.ratio).toBeCloseTo(Math.sqrt(12), 12);
    expect([result?.low, result?.high].map((end) => Number(end?.toFixed(9)))).toEqual([3, 4]);
  });

  test('the ratio of medians is that of the medians by nearest rank that are printed, A over B', () => {
    const [a, b] = [
      [0.21604, 0.3, 0.1, 0.5],
      [0.23633, 0.2, 0.9, 0.7],
    ];
    const p50 = (times: readonly number[]) => summarizeTimes(times, options).p50 ?? 0;
    expect([p50(a), p50(b)]).toEqual([0.21604, 0.23633]);
    const result = pairedRatio(record(a, b));
    expect(result?.p50Ratio.ratio).toBeCloseTo(0.21604 / 0.23633, 12);
    expect(pairedRatio(record([2, 4, 6], [1, 1, 1]))?.p50Ratio.ratio).toBeCloseTo(4, 12);
  });

  test('a failure of either one, and queries that differ, leave a pair out', () => {
    const base = record([4, 6, 8], [2, 2, 2]);
    const changed = (side: number, change: Partial<Sample>) => ({
      ...base,
      measured: base.measured.map((one, i) => ({
        ...one,
        samples: one.samples.map((sample, at) => (i === side && at === 1 ? { ...sample, ...change } : sample)),
      })),
    });
    const changes = [changed(0, { failed: 'no' }), changed(1, { failed: 'no' }), changed(1, { query: 7 })];
    for (const one of changes) {
      expect(pairedRatio(one)?.n).toBe(2);
      expect(pairedRatio(one)?.ratio).toBeCloseTo(Math.sqrt(8), 12);
    }
  });

  test('failed, unequal and unmatched requests are left out, and nothing is nothing', () => {
    const base = record([4, 4, 4], [2, 2]);
    expect(pairedRatio(base)?.n).toBe(2);
    const failing = base.measured.map((one) => ({ ...one, samples: one.samples.map((s) => ({ ...s, failed: 'no' })) }));
    expect(pairedRatio({ ...base, measured: failing })).toBeNull();
    expect(pairedRatio(record([], []))).toBeNull();
    expect(pairedRatio({ ...base, paired: null })).toBeNull();
    expect(pairedRatio(record([0, 1], [1, 1]))?.n).toBe(1);
  });
});
