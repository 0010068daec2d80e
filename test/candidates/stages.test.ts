import { describe, expect, test } from 'vitest';
import { docId, queryId } from '../../core/ids.js';
import { candidateMeasures } from '../../results/candidates/measures.js';
import { meanOverTasks, type StageValues, stageValues } from '../../results/candidates/stages.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { judgedOf, poolOf, rankings } from './lists.js';

type Request = Parameters<typeof stageValues>[0];

const rr = [parseMeasure('RR@10')];
const pick = (rows: readonly StageValues[], ideal = 'qrels', forced = 'with') =>
  rows.find((row) => row.ideal === ideal && row.forced === forced);
const values = (request: Partial<Request>) =>
  stageValues({ judged: judgedOf({}), pool: poolOf({}), reranked: rankings({}), measures: rr, ...request });

describe('worked by hand', () => {
  const judged = judgedOf({ q: { a: 1, gone: 1 }, r: { b: 1 } });
  const pool = poolOf({ q: 'x a y z', r: 'x y !b' });

  test('half of the headroom is captured', () => {
    // First: 1/2 and 1/3. Reranked: 1 and 1/3. Oracle: 1 and 1.
    const reranked = rankings({
      q: [['a', 1]],
      r: [
        ['x', 3],
        ['y', 2],
        ['b', 1],
      ],
    });
    const row = pick(values({ judged, pool, reranked }));
    expect(row?.first).toBeCloseTo(5 / 12, 15);
    expect(row?.reranked).toBeCloseTo(2 / 3, 15);
    expect(row).toMatchObject({ oracle: 1 });
    expect(row?.headroom).toBeCloseTo(7 / 12, 15);
    expect(row?.capturedShare).toBeCloseTo(3 / 7, 15);
  });

  test('without forced rows the query that only they cover has 0 everywhere', () => {
    const reranked = rankings({
      q: [['a', 1]],
      r: [
        ['b', 3],
        ['y', 2],
        ['x', 1],
      ],
    });
    const rows = values({ judged, pool, reranked });
    expect(pick(rows)).toMatchObject({ reranked: 1, capturedShare: 1 });
    expect(pick(rows, 'qrels', 'without')).toMatchObject({
      first: 1 / 4,
      reranked: 1 / 2,
      oracle: 1 / 2,
      capturedShare: 1,
    });
  });

  test('a relevant document outside the pool costs under the qrels, not among the candidates', () => {
    const measures = [parseMeasure('nDCG@10')];
    const rows = values({ judged, pool, reranked: pool, measures });
    const second = 1 / Math.log2(3);
    expect(pick(rows)?.first).toBeCloseTo((second / (1 + second) + 1 / 2) / 2, 15);
    expect(pick(rows)?.oracle).toBeCloseTo((1 / (1 + second) + 1) / 2, 15);
    expect(pick(rows, 'candidates')?.first).toBeCloseTo((second + 1 / 2) / 2, 15);
    expect(pick(rows, 'candidates')).toMatchObject({ oracle: 1, capturedShare: 0 });
  });

  test('a reranking below the first stage captures less than nothing', () => {
    const reranked = rankings({
      q: [
        ['x', 4],
        ['y', 3],
        ['z', 2],
        ['a', 1],
      ],
      r: [
        ['x', 3],
        ['y', 2],
        ['b', 1],
      ],
    });
    expect(pick(values({ judged, pool, reranked }))?.capturedShare).toBeCloseTo(-(1 / 8) / (7 / 12), 14);
  });

  test('ties count with their expected value, in both stages', () => {
    const tied = new Map([[queryId('q'), { docs: ['x', 'a'].map(docId), scores: [1, 1], forced: [] }]]);
    const row = pick(values({ judged: judgedOf({ q: { a: 1 } }), pool: tied, reranked: tied }));
    expect(row).toMatchObject({ first: 3 / 4, reranked: 3 / 4, oracle: 1, headroom: 1 / 4, capturedShare: 0 });
  });
});

describe('edges', () => {
  test('without headroom there is no share of it', () => {
    const best = poolOf({ q: 'a x' });
    for (const reranked of [
      best,
      rankings({
        q: [
          ['x', 2],
          ['a', 1],
        ],
      }),
    ]) {
      const row = pick(values({ judged: judgedOf({ q: { a: 1 } }), pool: best, reranked }));
      expect(row).toMatchObject({ first: 1, oracle: 1, headroom: 0, capturedShare: null });
    }
  });

  test('without a judged query everything is null', () => {
    const none = { first: null, reranked: null, oracle: null, headroom: null, capturedShare: null };
    const rows = values({ pool: poolOf({ q: 'a' }), reranked: poolOf({ q: 'a' }) });
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row).toMatchObject(none);
  });

  test('queries without a relevant document, without candidates, without a ranking count with 0', () => {
    const judged = judgedOf({ none: { x: 0 }, bare: { a: 1 }, lost: { a: 1 }, whole: { a: 1 } });
    const pool = poolOf({ none: 'x y', lost: 'a', whole: 'x a' });
    const reranked = rankings({
      none: [
        ['y', 2],
        ['x', 1],
      ],
      whole: [
        ['a', 2],
        ['x', 1],
      ],
    });
    const expected = { first: (0 + 0 + 1 + 1 / 2) / 4, reranked: 1 / 4, oracle: 2 / 4 };
    expect(pick(values({ judged, pool, reranked }))).toMatchObject(expected);
  });

  test('the relevance level is that of the request', () => {
    const judged = judgedOf({ q: { a: 1, b: 2 } });
    const rows = values({ judged, pool: poolOf({ q: 'a b' }), reranked: poolOf({ q: 'b a' }), level: 2 });
    expect(pick(rows)).toMatchObject({ first: 1 / 2, reranked: 1, oracle: 1, capturedShare: 1 });
  });

  test('a document that stands twice is refused with the run', () => {
    const twice = {
      reranked: rankings({
        q: [
          ['a', 2],
          ['a', 1],
        ],
      }),
      run: 'my run',
    };
    expect(() => values({ judged: judgedOf({ q: { a: 1 } }), pool: poolOf({ q: 'a' }), ...twice })).toThrow(/my run/);
  });
});

describe('measures', () => {
  const names = (given?: readonly string[]) => candidateMeasures(given).map(({ name }) => name);

  test('the recall of the deepest cut-off stands beside', () => {
    expect(names()).toEqual(['nDCG@10', 'R@10']);
    expect(names(['RR@5', 'nDCG@20'])).toEqual(['RR@5', 'nDCG@20', 'R@20']);
    expect(names(['AP', 'map'])).toEqual(['AP', 'R@10']);
    expect(names(['R@10', 'P@10'])).toEqual(['R@10', 'P@10']);
  });

  test('a sum over queries has no share', () => {
    expect(() => candidateMeasures(['NumRet'])).toThrow(/mean is wanted/);
  });
});

describe('means over tasks', () => {
  const row = (first: number, reranked: number, oracle: number): StageValues[] => [
    {
      measure: 'm',
      ideal: 'qrels',
      forced: 'with',
      first,
      reranked,
      oracle,
      headroom: oracle - first,
      capturedShare: 0,
    },
  ];

  test('each task is equal, and the share is that of the means', () => {
    const [mean] = meanOverTasks([row(0.5, 0.6, 1), row(0.25, 0.25, 0.75)]);
    expect(mean).toMatchObject({ first: 0.375, reranked: 0.425, oracle: 0.875, headroom: 0.5 });
    expect(mean.capturedShare).toBeCloseTo(0.1, 12);
  });

  test('one task is its own mean; none gives nothing; one without a judged query does not count', () => {
    const one = row(0.5, 0.75, 1);
    expect(meanOverTasks([one])[0]).toMatchObject({ first: 0.5, capturedShare: 0.5 });
    expect(meanOverTasks([])).toEqual([]);
    const empty = row(0, 0, 0).map((values) => ({ ...values, first: null, reranked: null, oracle: null }));
    expect(meanOverTasks([one, empty])[0]).toMatchObject({ first: 0.5 });
    expect(meanOverTasks([empty])[0]).toMatchObject({ first: null, capturedShare: null });
  });
});
