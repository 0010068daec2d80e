import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { docId, type QueryId, queryId } from '../../core/ids.js';
import { type StageValues, stageValues } from '../../results/candidates/stages.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { scoreRun } from '../../results/score.js';
import type { Judgements, Pool, Ranking } from '../../tasks/types.js';

const withForced = (rows: readonly StageValues[], ideal: string) =>
  rows.find((row) => row.ideal === ideal && row.forced === 'with');

interface Case {
  readonly judged: Judgements;
  readonly pool: Pool;
  readonly reranked: ReadonlyMap<QueryId, Ranking>;
}

/** Queries with up to eight documents, some judged, some candidates, some forced, reranked with ties. */
const cases: fc.Arbitrary<Case> = fc
  .array(
    fc.array(
      fc.record({
        grade: fc.option(fc.integer({ min: -1, max: 3 })),
        candidate: fc.boolean(),
        forced: fc.boolean(),
        first: fc.integer({ min: 0, max: 3 }),
        second: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 8 },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((queries) => {
    const judged = new Map<QueryId, Map<ReturnType<typeof docId>, number>>();
    const pool = new Map();
    const reranked = new Map<QueryId, Ranking>();
    for (const [i, rows] of queries.entries()) {
      const docs = rows.map((row, place) => ({ ...row, id: docId(`d${place}`) }));
      const inPool = docs.filter(({ candidate }) => candidate).sort((a, b) => b.first - a.first);
      judged.set(queryId(`q${i}`), new Map(docs.flatMap(({ id, grade }) => (grade === null ? [] : [[id, grade]]))));
      pool.set(queryId(`q${i}`), {
        docs: inPool.map(({ id }) => id),
        scores: inPool.map(({ first }) => first),
        forced: inPool.filter(({ forced }) => forced).map(({ id }) => id),
      });
      reranked.set(queryId(`q${i}`), {
        docs: inPool.map(({ id }) => id),
        scores: inPool.map(({ second }) => second),
      });
    }
    return { judged, pool, reranked };
  });

const measures = ['nDCG@3', 'RR@10', 'AP@5', 'R@2', 'P@3', 'ERR@4'].map(parseMeasure);

describe('laws', () => {
  test('no order of the candidates is above their oracle', () => {
    fc.assert(
      fc.property(cases, (one) => {
        for (const { first, reranked, oracle, headroom } of stageValues({ ...one, measures })) {
          expect(oracle).toBeGreaterThanOrEqual((reranked ?? 0) - 1e-12);
          expect(oracle).toBeGreaterThanOrEqual((first ?? 0) - 1e-12);
          expect(headroom).toBe((oracle ?? 0) - (first ?? 0));
        }
      }),
    );
  });

  test('the order by grade captures all of the headroom, the frozen order none of it', () => {
    fc.assert(
      fc.property(cases, ({ judged, pool }) => {
        const byGrade = new Map(
          [...pool].map(([query, { docs }]) => {
            const scores = docs.map((doc) => Math.max(0, judged.get(query)?.get(doc) ?? 0));
            return [query, { docs, scores }];
          }),
        );
        const shares = (reranked: Case['reranked']) =>
          stageValues({ judged, pool, reranked, measures }).flatMap(({ capturedShare }) => capturedShare ?? []);
        for (const share of shares(byGrade)) expect(share).toBeCloseTo(1, 9);
        for (const share of shares(pool)) expect(share).toBe(0);
      }),
    );
  });

  test("candidate-relative nDCG is nDCG(ideal='candidates') of the whole lists", () => {
    fc.assert(
      fc.property(cases, ({ judged, pool, reranked }) => {
        const given = { judged, measures: [parseMeasure("nDCG(ideal='candidates')@3")] };
        const rows = stageValues({ judged, pool, reranked, measures: [measures[0]] });
        const meanOf = (lists: Case['reranked']) =>
          [...scoreRun({ ...given, rankings: lists }).totals.values()][0]?.expected;
        expect(withForced(rows, 'candidates')?.first).toBeCloseTo(meanOf(pool) ?? 0, 12);
        expect(withForced(rows, 'candidates')?.reranked).toBeCloseTo(meanOf(reranked) ?? 0, 12);
      }),
    );
  });

  test('without forced rows is what a pool that never had them gives', () => {
    fc.assert(
      fc.property(cases, ({ judged, pool, reranked }) => {
        const isForced = (query: QueryId, doc: string) => (pool.get(query)?.forced ?? []).some((id) => id === doc);
        const bare = (lists: Case['reranked']) =>
          new Map(
            [...lists].map(([query, { docs, scores }]) => {
              const kept = docs.flatMap((doc, i) => (isForced(query, doc) ? [] : [[doc, scores[i]] as const]));
              return [query, { docs: kept.map(([doc]) => doc), scores: kept.map(([, score]) => score), forced: [] }];
            }),
          );
        const never = stageValues({ judged, pool: bare(pool), reranked: bare(reranked), measures });
        const without = stageValues({ judged, pool, reranked, measures }).filter(({ forced }) => forced === 'without');
        expect(without).toEqual(never.filter(({ forced }) => forced === 'without'));
        const same = (form: string) =>
          never.filter(({ forced }) => forced === form).map(({ forced: _, ...row }) => row);
        expect(same('with')).toEqual(same('without'));
      }),
    );
  });
});
