import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { docId, queryId } from '../../core/ids.js';
import { candidatesAt, forcedForms } from '../../results/candidates/cut.js';
import { candidateFacts } from '../../results/candidates/facts.js';
import { sameCandidates } from '../../results/candidates/same.js';
import { poolReport } from '../../results/candidates.js';
import { analyzerFor } from '../../runners/analyzers/index.js';
import { arenaOf } from '../../runners/arena.js';
import { bindSearcher } from '../../runners/searcher.js';
import { judgedOf, poolOf, rankings } from './lists.js';

describe('what a list of candidates holds', () => {
  const judged = judgedOf({ q: { a: 1, b: 2, gone: 1 }, r: { c: 1 }, none: { x: 0 }, bare: { a: 1 } });
  const pool = poolOf({ q: 'x a b y', r: 'x y !c', none: 'x', unjudged: 'a b c d e f' });

  test('coverage is over queries with a relevant document, recall over every judged query', () => {
    expect(candidateFacts(judged, pool)).toEqual({
      queries: 4,
      queriesWithRelevant: 3,
      depth: { min: 0, mean: 2, max: 4 },
      queryCoverage: 2 / 3,
      relevantCoverage: 3 / 5,
      relevant: 5,
      relevantCandidates: 3,
      candidateRecall: { measure: 'CandidateRecall@4', value: (2 / 3 + 1 + 0 + 0) / 4 },
      forcedRows: 1,
      forcedQueries: 1,
    });
  });

  test('without forced rows, and from a higher grade', () => {
    expect(poolReport(judged, pool).without).toMatchObject({
      queryCoverage: 1 / 3,
      relevantCandidates: 2,
      forcedRows: 0,
      depth: { min: 0, mean: 7 / 4, max: 4 },
    });
    expect(candidateFacts(judged, pool, 2)).toMatchObject({ queriesWithRelevant: 1, queryCoverage: 1, relevant: 1 });
  });

  test('nothing judged, nothing relevant, no candidates', () => {
    const nothing = { queryCoverage: null, relevantCoverage: null };
    expect(candidateFacts(judgedOf({}), pool)).toMatchObject({ ...nothing, queries: 0, depth: null });
    expect(candidateFacts(judgedOf({}), pool).candidateRecall.value).toBeNull();
    expect(candidateFacts(judgedOf({ q: { a: 0 } }), pool)).toMatchObject({ ...nothing, queries: 1 });
    const empty = candidateFacts(judged, poolOf({}));
    expect(empty).toMatchObject({ queryCoverage: 0, depth: { min: 0, mean: 0, max: 0 } });
    expect(empty.candidateRecall).toEqual({ measure: 'CandidateRecall@1', value: 0 });
  });
});

describe('what a second stage at a depth is given', () => {
  test('the same rows as a pipeline of ours', async () => {
    const docs = Array.from({ length: 12 }, (_, i) => ({ id: docId(`d${i}`), text: 'x' }));
    const rows = fc.array(fc.record({ score: fc.integer({ min: 0, max: 4 }), forced: fc.boolean() }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 13 }), async (given, depth) => {
        const sorted = [...given].sort((a, b) => b.score - a.score);
        const list = {
          docs: sorted.map((_, i) => docId(`d${i}`)),
          scores: sorted.map(({ score }) => score),
          forced: sorted.flatMap(({ forced }, i) => (forced ? [docId(`d${i}`)] : [])),
        };
        const pools = new Map([['p', new Map([[queryId('q'), list]])]]);
        const nano = { docs, queries: [{ id: queryId('q'), text: 'x' }], pools };
        const arena = arenaOf(nano, { analyzer: analyzerFor('en'), seed: 17 });
        for (const forced of forcedForms) {
          const searcher = await bindSearcher({ kind: 'pool', id: 'p', pool: 'p', forced }, arena);
          const hits = await searcher.search(0, depth);
          const cut = candidatesAt(list, depth, forced);
          expect(cut.docs).toEqual(Array.from(hits.docs, (doc) => `d${doc}`));
          expect(cut.scores).toEqual(Array.from(hits.scores));
          expect(cut.forced).toEqual(forced === 'with' ? list.forced : []);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('ties with the last row come along, forced rows at any depth', () => {
    const list = { docs: ['a', 'b', 'c', 'd', 'e'].map(docId), scores: [3, 2, 2, 1, 0], forced: [docId('e')] };
    const at = (depth: number, form: 'with' | 'without') => candidatesAt(list, depth, form).docs.join('');
    expect([at(0, 'with'), at(1, 'with'), at(2, 'with'), at(9, 'with')]).toEqual(['e', 'ae', 'abce', 'abcde']);
    expect([at(0, 'without'), at(2, 'without'), at(9, 'without')]).toEqual(['', 'abc', 'abcd']);
  });
});

describe('whether a reranking is an order of its candidates', () => {
  const judged = judgedOf({ q: { a: 1 }, r: { b: 1 } });
  const pool = poolOf({ q: 'a x y', r: 'x b' });
  const whole = {
    q: [
      ['y', 3],
      ['x', 2],
      ['a', 1],
    ],
    r: [
      ['b', 2],
      ['x', 1],
    ],
  } as const;
  const check = (lists: Parameters<typeof rankings>[0], depth: number | null = null) =>
    sameCandidates({ judged, pool, reranked: rankings(lists), depth });

  test('an order is one, and its CandidateRecall is the same', () => {
    expect(check(whole)).toMatchObject({
      unchanged: true,
      outside: { count: 0, examples: [] },
      lost: { count: 0 },
      cutQueries: 0,
      candidateRecall: { measure: 'CandidateRecall@3', first: 1, reranked: 1, changedQueries: [] },
    });
  });

  test('another document is outside, also one that is judged', () => {
    const made = check({
      ...whole,
      r: [
        ['b', 3],
        ['x', 2],
        ['z', 1],
      ],
    });
    expect(made).toMatchObject({ unchanged: false, outside: { count: 1, examples: [{ query: 'r', doc: 'z' }] } });
    expect(made.candidateRecall.changedQueries).toEqual([]);
  });

  test('a candidate that is gone is lost, and the recall tells when it was relevant', () => {
    const lost = check({
      ...whole,
      q: [
        ['y', 3],
        ['x', 2],
      ],
    });
    expect(lost).toMatchObject({ unchanged: false, lost: { count: 1, examples: [{ query: 'q', doc: 'a' }] } });
    expect(lost.candidateRecall).toMatchObject({ first: 1, reranked: 1 / 2, changedQueries: ['q'] });
  });

  test('a list that ends at the depth of the run is cut, one that is shorter has lost', () => {
    expect(
      check(
        {
          ...whole,
          q: [
            ['y', 3],
            ['x', 2],
          ],
        },
        2,
      ),
    ).toMatchObject({ unchanged: true, cutQueries: 1 });
    expect(check({ ...whole, q: [['y', 3]] }, 2)).toMatchObject({
      unchanged: false,
      lost: { count: 2 },
      cutQueries: 0,
    });
  });

  test('a query without a ranking is missing; one without candidates is not', () => {
    expect(check({ q: whole.q })).toMatchObject({ unchanged: false, missingQueries: ['r'] });
    const reranked = rankings({});
    expect(sameCandidates({ judged, pool: poolOf({ q: '' }), reranked, depth: null }).unchanged).toBe(true);
  });

  test('at most five of many are shown, all are counted', () => {
    const many = Array.from({ length: 9 }, (_, i) => [`z${i}`, 20 - i] as const);
    const made = check({ ...whole, q: [...many, ...whole.q] });
    expect(made.outside.count).toBe(9);
    expect(made.outside.examples).toHaveLength(5);
  });
});
