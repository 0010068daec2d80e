import { expect, test } from 'vitest';
import { rankWhole } from '../../builders/hard-negatives.js';
import { checkOptions } from '../../builders/options.js';
import { poolFacts } from '../../builders/pool-facts.js';
import { makePools } from '../../builders/pools.js';
import { readCollection } from '../../builders/read.js';
import type { DocId, QueryId } from '../../core/ids.js';
import { docId, queryId } from '../../core/ids.js';
import { keyedHash } from '../../core/keyed-hash.js';
import { analyzerFor } from '../../runners/analyzers/index.js';
import { arenaOf, tieKey } from '../../runners/arena.js';
import { parseSystem } from '../../runners/grammar.js';
import { rankAll } from '../../runners/rank.js';
import { bindSearcher } from '../../runners/searcher.js';
import type { Candidates, NanoSet } from '../../tasks/types.js';
import { builtNanoSet } from './build-memory.js';
import { memorySource, wordCollection } from './memory-source.js';

const rows = wordCollection(60);
const options = { queries: 8, docs: 40, depth: 20, poolSize: 5, dense: 'lsa@16' } as const;

/** Reciprocal rank fusion as the formula has it, all ties broken. */
function naiveFusion(lists: readonly (readonly DocId[])[], k: number) {
  const docs = [...new Set(lists.flat())];
  const scored = docs.map((doc) => {
    const ranks = lists.flatMap((list) => (list.includes(doc) ? [list.indexOf(doc) + 1] : []));
    const score = ranks.sort((a, b) => a - b).reduce((sum, rank) => sum + 1 / (k + rank), 0);
    return { doc, score, best: Math.min(...ranks), hash: keyedHash(tieKey, doc) };
  });
  return scored.sort((a, b) => b.score - a.score || a.best - b.best || a.hash - b.hash);
}

const rowsOf = (nano: NanoSet, pool: string) => nano.pools.get(pool) ?? new Map<QueryId, Candidates>();

test('the hybrid pool is the fusion of the two others, with at most one forced row', async () => {
  const nano = await builtNanoSet(rows, { options });
  for (const { id } of nano.queries) {
    const lists = ['bm25', 'dense'].map((pool) => rowsOf(nano, pool).get(id)?.docs ?? []);
    const best = naiveFusion(lists, 60).slice(0, 5);
    const { docs, scores, forced } = rowsOf(nano, 'hybrid').get(id) as Candidates;
    expect(docs.slice(0, 5)).toEqual(best.map(({ doc }) => doc));
    expect(scores.slice(0, 5)).toEqual(best.map(({ score }) => score));
    const covered = best.some(({ doc }) => (nano.judged.get(id)?.get(doc) ?? 0) > 0);
    expect(forced.length).toBe(covered ? 0 : 1);
    expect(docs.slice(5)).toEqual(forced);
  }
});

test('lists are as deep as asked for, and hold no document that shares no term', async () => {
  const nano = await builtNanoSet(
    { ...rows, queries: [...rows.queries, ['q-none', 'zzz qqq']], qrels: [...rows.qrels, ['q-none', 'd7', 1]] },
    { options: { ...options, queries: 50, docs: 60, poolSize: 100 } },
  );
  for (const [query, { docs, scores }] of rowsOf(nano, 'bm25')) {
    expect(docs.length).toBeLessThanOrEqual(20);
    expect(scores.every((score) => score > 0)).toBe(true);
    if (query === 'q-none') expect(docs).toEqual([]);
  }
  for (const { docs } of rowsOf(nano, 'dense').values()) expect(docs.length).toBe(20);
  expect(rowsOf(nano, 'hybrid').get(queryId('q-none'))?.docs.length).toBeGreaterThanOrEqual(20);
});

test('a cut inside a tie follows the keyed hash of the ids', async () => {
  const docs = Array.from({ length: 12 }, (_, i) => ({
    id: docId(`d${i}`),
    text: `same word ${'abcdefghijkl'[i]}${i}`,
  }));
  const queries = [{ id: queryId('q'), text: 'same word' }];
  const judged = new Map([[queryId('q'), new Map([[docId('d3'), 1]])]]);
  const made = await makePools({
    nano: { docs, queries, judged },
    analyzer: analyzerFor('en'),
    options: { ...checkOptions({ depth: 5, dense: 'lsa@4' }) },
    onStep: () => {},
  });
  const byHash = docs.map(({ id }) => id).sort((a, b) => keyedHash(tieKey, a) - keyedHash(tieKey, b));
  const row = made.get('bm25')?.pool.get(queryId('q'));
  expect(new Set(row?.scores).size).toBe(1);
  expect(row?.docs).toEqual(byHash.slice(0, 5));
});

test('the live fusion that the manifest names gives the rows of the pool', async () => {
  const nano = await builtNanoSet(rows, { options: { ...options, depth: 500, rrfK: 10 } });
  const { system } = nano.manifest.pools.hybrid;
  expect(system).toBe('rrf@10(bm25, lsa@16)');
  const arena = arenaOf(nano, { analyzer: analyzerFor('en'), seed: 17 });
  const searcher = await bindSearcher(parseSystem(system), arena);
  const { rankings } = await rankAll({ nano, arena, searcher, system: 'test', depth: 5, clock: () => 0 });
  for (const [query, { docs, forced }] of rowsOf(nano, 'hybrid')) {
    const unforced = docs.filter((doc) => !forced.includes(doc));
    const live = rankings.get(query);
    // A live list keeps all that is tied with its last row, in keyed-hash order.
    for (const doc of unforced) expect(live?.docs).toContain(doc);
  }
});

test('facts of a pool are over its first 100 rows without forced ones', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, i) => docId(`d${i}`));
  const q = queryId('q');
  const judged = new Map([
    [
      q,
      new Map(
        [
          ['d1', 2],
          ['d4', 1],
          ['d120', 1],
          ['d130', 0],
        ].map(([d, g]) => [docId(String(d)), Number(g)] as const),
      ),
    ],
  ]);
  const docs = [docId('forced'), ...ids(150)];
  const scores = docs.map((_, i) => 200 - i);
  const facts = poolFacts({ pool: new Map([[q, { docs, scores, forced: [docId('forced')] }]]), system: 's' }, judged);
  const discount = (rank: number) => 1 / Math.log2(rank + 1);
  const ideal = 2 * discount(1) + discount(2) + discount(3);
  expect(facts.system).toBe('s');
  expect(facts.forcedRows).toBe(1);
  expect(facts.recallAt100).toBeCloseTo(2 / 3, 12);
  expect(facts.nDCGAt10).toBeCloseTo((2 * discount(2) + discount(5)) / ideal, 12);
  expect(facts.oracleAt10).toBeCloseTo((2 * discount(1) + discount(2)) / ideal, 12);
});

test('nDCG of a pool is expected over its ties', () => {
  const q = queryId('q');
  const judged = new Map([[q, new Map([[docId('b'), 1]])]]);
  const pool = new Map([[q, { docs: [docId('a'), docId('b')], scores: [1, 1], forced: [] }]]);
  expect(poolFacts({ pool, system: 's' }, judged).nDCGAt10).toBeCloseTo((1 + 1 / Math.log2(3)) / 2, 12);
});

test.each([
  ['words with stems', analyzerFor('en')],
  ['character bigrams', analyzerFor('ja')],
  ['parts of identifiers', analyzerFor('en', undefined, 'code')],
])('hard negatives are what BM25 over the whole collection ranks: %s', async (_, analyzer) => {
  const collection = await readCollection(memorySource(rows), { leniency: 'strict' });
  const asked = [0, 3, 7];
  const places = Int32Array.from(collection.docIds.keys());
  const lists = await rankWhole({ collection, analyzer, queries: asked, depth: 10, places });
  const docs = collection.docIds.map((id, i) => ({ id, text: rows.docs[i][1].trim() }));
  const queries = asked.map((position) => collection.queries[position]);
  const arena = arenaOf({ docs, queries, pools: new Map() }, { analyzer, seed: 1 });
  const searcher = await bindSearcher(parseSystem('bm25'), arena);
  for (const [i, list] of lists.entries()) {
    const hits = await searcher.search(i, 10);
    const scores = new Map([...hits.docs].map((doc, at) => [doc, hits.scores[at]]));
    const expected = [...hits.docs].filter((doc) => (scores.get(doc) ?? 0) > 0);
    expected.sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || a - b);
    expect(list).toEqual(expected.slice(0, 10));
  }
});
