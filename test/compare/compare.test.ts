import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ComparedQuery, type CompareOptions, compareQueries } from '../../results/compare.js';
import { adjust } from '../../results/stats/corrections.js';
import type { TieColumns } from '../../results/types.js';

const options: CompareOptions = { confidence: 0.95, correction: 'holm', resamples: 2000, seed: 17, worst: 2 };

const plain = (values: readonly number[]): TieColumns => {
  const column = Float64Array.from(values);
  return { expected: column, min: column, max: column };
};
const queries = (count: number, sliceOf: (i: number) => readonly string[] = () => []): ComparedQuery[] =>
  Array.from({ length: count }, (_, i) => ({ id: `q${i}`, text: `text ${i}`, task: null, slices: sliceOf(i) }));

describe('two sides', () => {
  const base = new Map([['RR', plain([1, 0.5, 0, 1])]]);
  const candidate = new Map([['RR', plain([0.5, 0.5, 1, 0.25])]]);
  const [one] = compareQueries({ queries: queries(4), base, candidate, options });

  test('are compared query by query', () => {
    expect(one).toMatchObject({
      measure: 'RR',
      slice: 'all',
      n: 4,
      base: 0.625,
      candidate: 0.5625,
      delta: -0.0625,
      median: -0.25,
      percentiles: { p5: expect.closeTo(-0.7125, 12), p25: -0.5625, p75: 0.25, p95: expect.closeTo(0.85, 12) },
      improved: 1,
      tied: 1,
      regressed: 2,
      tieRange: 0,
      method: 'bca',
    });
    // Deltas −1/2, 0, 1, −3/4: no sign pattern has a sum nearer to 0 than the −1/4 that is seen.
    expect(one.p.permutation).toBe(1);
    expect(one.low).toBeLessThan(-0.0625);
    expect(one.high).toBeGreaterThan(-0.0625);
  });

  test('name the worst queries, worst first, with their texts', () => {
    expect(one.worst).toEqual([
      { query: 'q3', delta: -0.75, text: 'text 3', task: null },
      { query: 'q0', delta: -0.5, text: 'text 0', task: null },
    ]);
  });

  test('that swap places give the mirror image', () => {
    const [other] = compareQueries({ queries: queries(4), base: candidate, candidate: base, options });
    expect(other.delta).toBe(-one.delta);
    expect(other.p).toEqual(one.p);
    expect([other.improved, other.regressed]).toEqual([one.regressed, one.improved]);
  });

  test('that are equal have an interval of no width and no p, dz or MDE', () => {
    const [same] = compareQueries({ queries: queries(4), base, candidate: base, options });
    expect(same).toMatchObject({ delta: 0, low: 0, high: 0, method: 'none', tied: 4, dz: null, mde: null, worst: [] });
    expect(same.p).toEqual({ permutation: null, t: null });
    expect(same.pAdjusted).toBeNull();
  });
});

test('slices stand after all queries, by name, with numbers by size, and p is corrected over the whole family', () => {
  const deltas = Array.from({ length: 40 }, (_, i) => (i % 7) / 10 - 0.2 + (i < 20 ? 0.4 : 0));
  const base = new Map([
    ['P@1', plain(deltas.map(() => 0))],
    ['R@1', plain(deltas.map(() => 0))],
  ]);
  const candidate = new Map([
    ['P@1', plain(deltas)],
    ['R@1', plain(deltas.map((delta) => delta / 2 - 0.05))],
  ]);
  const sliced = queries(40, (i) => (i < 20 ? ['length:2–3', 'odd'] : i < 30 ? ['length:11+'] : []));
  const found = compareQueries({ queries: sliced, base, candidate, options });
  expect(found.map(({ measure, slice, n }) => [measure, slice, n])).toEqual([
    ['P@1', 'all', 40],
    ['P@1', 'length:2–3', 20],
    ['P@1', 'length:11+', 10],
    ['P@1', 'odd', 20],
    ['R@1', 'all', 40],
    ['R@1', 'length:2–3', 20],
    ['R@1', 'length:11+', 10],
    ['R@1', 'odd', 20],
  ]);
  const p = found.map((one) => one.p.permutation ?? Number.NaN);
  expect(found.map(({ pAdjusted }) => pAdjusted)).toEqual(adjust(p, 'holm'));
  expect(found[0].low).toBeGreaterThan(0);
});

test('ties leave a delta open by the ranges of both sides', () => {
  const open = { expected: Float64Array.of(0.5, 0.5), min: Float64Array.of(0.25, 0.5), max: Float64Array.of(1, 0.5) };
  const base = new Map([['RR', open]]);
  const candidate = new Map([['RR', { ...open, min: Float64Array.of(0.5, 0), max: Float64Array.of(0.5, 0.5) }]]);
  const [one] = compareQueries({ queries: queries(2), base, candidate, options });
  expect(one.tieRange).toBeCloseTo(0.75 / 2 + 0.5 / 2, 12);
});

test('the same seed gives the same digits, another one another interval', () => {
  const values = plain(Array.from({ length: 30 }, (_, i) => ((i * 37) % 11) / 11));
  const request = {
    queries: queries(30),
    base: new Map([['P', plain(Array(30).fill(0.3))]]),
    candidate: new Map([['P', values]]),
  };
  const run = (seed: number) => compareQueries({ ...request, options: { ...options, seed } })[0];
  expect(run(5)).toEqual(run(5));
  expect(run(6).low).not.toBe(run(5).low);
});

describe('weights', () => {
  const base = new Map([['RR', plain([1, 0.5, 0, 1])]]);
  const candidate = new Map([['RR', plain([0.5, 0.5, 1, 0.25])]]);
  const request = { queries: queries(4, (i) => (i === 1 ? ['odd'] : [])), base, candidate, options };

  test('make every comparison twice: each query the same, and each as often as it is asked', () => {
    const weights = new Map([
      ['q0', 1],
      ['q1', 0],
      ['q2', 3],
    ]);
    const found = compareQueries({ ...request, weights });
    // The slice `odd` holds a query that nobody asks, so it has no weighted row.
    expect(found.map(({ slice, weighting }) => `${slice} ${weighting}`)).toEqual([
      'all query',
      'all traffic',
      'odd query',
    ]);
    expect(found[1].base).toBeCloseTo((1 * 1 + 3 * 0) / 4, 12);
    expect(found[1].candidate).toBeCloseTo((1 * 0.5 + 3 * 1) / 4, 12);
    expect(found[1].delta).toBeCloseTo((-0.5 + 3) / 4, 12);
    // Two queries are asked; what is named is their own delta.
    expect(found[1]).toMatchObject({ n: 2, improved: 1, tied: 0, regressed: 1 });
    expect(found[1].worst).toEqual([{ query: 'q0', delta: -0.5, text: 'text 0', task: null }]);
  });

  test('law: the weighted mean and its interval lie within the deltas, however uneven the weights', () => {
    const rows = fc.array(
      fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: 1, max: 1_000_000 })),
      {
        minLength: 2,
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(rows, (drawn) => {
        const [, one] = compareQueries({
          queries: queries(drawn.length),
          base: new Map([['RR', plain(drawn.map(() => 0))]]),
          candidate: new Map([['RR', plain(drawn.map(([delta]) => delta))]]),
          options: { ...options, resamples: 200 },
          weights: new Map(drawn.map(([, weight], i) => [`q${i}`, weight])),
        });
        const deltas = drawn.map(([delta]) => delta);
        expect(one.low).toBeGreaterThanOrEqual(Math.min(...deltas) - 1e-9);
        expect(one.high).toBeLessThanOrEqual(Math.max(...deltas) + 1e-9);
        expect(one.delta).toBeCloseTo(one.candidate - one.base, 9);
      }),
      { numRuns: 50 },
    );
  });

  test('law: equal weights change no number', () => {
    fc.assert(
      fc.property(fc.constantFrom(0.5, 1, 8, 1024), (weight) => {
        const [plainly, weighted] = compareQueries({
          ...request,
          queries: queries(4),
          weights: new Map([0, 1, 2, 3].map((i) => [`q${i}`, weight])),
        });
        for (const key of ['delta', 'low', 'high', 'base', 'candidate', 'dz', 'mde', 'tieRange'] as const) {
          expect(weighted[key]).toBeCloseTo(plainly[key] ?? Number.NaN, 9);
        }
        expect(weighted).toMatchObject({
          p: { permutation: plainly.p.permutation },
          median: plainly.median,
          n: plainly.n,
        });
      }),
    );
  });

  test('p is corrected over the weighted rows too', () => {
    const found = compareQueries({
      ...request,
      weights: new Map([
        ['q0', 1],
        ['q2', 1],
        ['q3', 1],
      ]),
    });
    const tested = found.map(({ p }) => p.permutation).filter((p) => p !== null);
    expect(tested.length).toBe(2);
    expect(found.slice(0, 2).map(({ pAdjusted }) => pAdjusted)).toEqual(adjust(tested, 'holm'));
  });
});
