import { expect, test } from 'vitest';
import { type DocId, queryId } from '../../core/ids.js';
import { analyzerFor } from '../../runners/analyzers/index.js';
import { arenaOf } from '../../runners/arena.js';
import { analyzersOf, parseSystem } from '../../runners/grammar.js';
import { selectTop } from '../../runners/kernels/top-k.js';
import { rankAll } from '../../runners/rank.js';
import { bindSearcher } from '../../runners/searcher.js';
import { animals, smallNano } from '../small-nano.js';

const nano = smallNano(animals);
const engine = { analyzer: analyzerFor('en'), seed: 17 };
const newArena = () => arenaOf(nano, engine);

async function rank(system: string, depth = 100, arena = newArena()) {
  const searcher = await bindSearcher(parseSystem(system), arena);
  return rankAll({ nano, arena, searcher, system, depth, clock: () => 0 });
}

const docsOf = async (system: string, query: string, depth?: number): Promise<readonly DocId[]> =>
  (await rank(system, depth)).rankings.get(queryId(query))?.docs ?? [];

test('bm25 finds by stem and never pads with documents that match nothing', async () => {
  expect(new Set(await docsOf('bm25', 'q1'))).toEqual(new Set(['a', 'b', '__proto__x']));
  expect(await docsOf('bm25', 'q3')).toEqual([]);
});

test('an analyzer named in the system stands in for the one of the language', async () => {
  expect(new Set(await docsOf('bm25@analyzer=unicode', 'q1'))).toEqual(new Set(['a']));
  const chosen = analyzersOf(parseSystem('rrf(bm25, bm25@analyzer=unicode)'), engine.analyzer).map(({ id }) => id);
  expect(chosen).toEqual(['english', 'unicode']);
});

test('a frozen pool is replayed as it is; forced rows come along at any depth, or not at all', async () => {
  expect(await docsOf('hybrid', 'q3')).toEqual(['a', 'c']);
  expect(await docsOf('hybrid', 'q3', 1)).toEqual(['a', 'c']);
  expect(await docsOf('hybrid@unforced', 'q3')).toEqual(['a']);
  expect(await docsOf('hybrid', 'q1', 1)).toEqual(['a']);
});

test('a pool reranked holds exactly the pool, what matches nothing included', async () => {
  expect(new Set(await docsOf('hybrid > bm25@100', 'q3'))).toEqual(new Set(['a', 'c']));
  expect(new Set(await docsOf('hybrid > lsa@2@100', 'q2'))).toEqual(new Set(['c', 'd']));
});

test('a live first stage passes its best and all tied with the last of them', async () => {
  const first = await rank('bm25', 1);
  const piped = await rank('bm25 > lsa@2@1', 100);
  for (const [query, { docs }] of first.rankings) {
    expect(new Set(piped.rankings.get(query)?.docs)).toEqual(new Set(docs));
  }
});

test('a fusion holds what either list holds', async () => {
  const [one, two] = [await docsOf('bm25', 'q1'), await docsOf('lsa@2', 'q1')];
  expect(new Set(await docsOf('rrf(bm25, lsa@2)', 'q1'))).toEqual(new Set([...one, ...two]));
});

test('no ranking is cut inside a tie, whatever the depth', async () => {
  const twins = smallNano({ ...animals, docs: { a: 'cat one', b: 'cat two', c: 'cat cat', d: 'cat six' }, pools: {} });
  const arena = arenaOf(twins, engine);
  const searcher = await bindSearcher(parseSystem('bm25'), arena);
  for (const [depth, size] of [
    [1, 1],
    [2, 4],
    [3, 4],
    [4, 4],
    [99, 4],
  ] as const) {
    const { rankings } = await rankAll({ nano: twins, arena, searcher, system: 'bm25', depth, clock: () => 0 });
    expect(rankings.get(queryId('q1'))?.docs.length).toBe(size);
  }
});

test('order inside a tie is the keyed hash of the id: the order of the corpus does not show', async () => {
  const docs = { a: 'cat one', b: 'cat two', c: 'cat six', d: 'cat ten', e: 'cat big' };
  const order = async (entries: [string, string][]) => {
    const set = smallNano({ ...animals, docs: Object.fromEntries(entries), pools: {} });
    const arena = arenaOf(set, engine);
    const searcher = await bindSearcher(parseSystem('bm25'), arena);
    return (await rankAll({ nano: set, arena, searcher, system: 'bm25', depth: 100, clock: () => 0 })).rankings.get(
      queryId('q1'),
    )?.docs;
  };
  const forward = await order(Object.entries(docs));
  expect(await order(Object.entries(docs).reverse())).toEqual(forward);
  expect(forward).not.toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('all variants of a model come from one encoding pass', async () => {
  const arena = newArena();
  await rank('lsa@2+int8', 100, arena);
  const encoded = arena.prepared.get('lsa@2');
  await rank('lsa@2+binary+rescore@2', 100, arena);
  expect(arena.prepared.get('lsa@2')).toBe(encoded);
  expect([...arena.prepared.keys()].sort()).toEqual(['lsa@2', 'lsa@2+binary', 'lsa@2+binary+rescore@2', 'lsa@2+int8']);
});

test('a variant that does not fit is refused with its reason', async () => {
  await expect(rank('bm25+binary')).rejects.toMatchObject({ code: 'refused' });
  await expect(rank('bm25+binary')).rejects.toThrow('This variant does not fit: binary. binary needs');
});

test('a NaN score is an error that names the query', async () => {
  const arena = newArena();
  const base = await bindSearcher(parseSystem('bm25'), arena);
  const searcher = {
    ...base,
    search: () => ({ docs: Int32Array.of(0), scores: Float64Array.of(Number.NaN), work: {}, stages: {} }),
  };
  await expect(rankAll({ nano, arena, searcher, system: 'bm25', depth: 10, clock: () => 0 })).rejects.toThrow(
    /not a number: bm25, query q1, document a/,
  );
});

test('infinite scores order as numbers', async () => {
  const arena = newArena();
  const base = await bindSearcher(parseSystem('bm25'), arena);
  const scores = Float64Array.of(Number.POSITIVE_INFINITY, 0, Number.NEGATIVE_INFINITY);
  const searcher = { ...base, search: () => ({ docs: Int32Array.of(1, 2, 0), scores, work: {}, stages: {} }) };
  const { rankings } = await rankAll({ nano, arena, searcher, system: 'bm25', depth: 10, clock: () => 0 });
  expect(rankings.get(queryId('q1'))?.docs).toEqual(['b', 'c', 'a']);
});

test('a NaN from a kernel gets the names of system, query and document', async () => {
  const arena = newArena();
  const base = await bindSearcher(parseSystem('bm25'), arena);
  const search = () => selectTop(Float64Array.of(1, Number.NaN, 2), null, 3, 2);
  const searcher = { ...base, search: () => ({ ...search(), work: {}, stages: {} }) };
  await expect(rankAll({ nano, arena, searcher, system: 'mine', depth: 2, clock: () => 0 })).rejects.toThrow(
    'not a number: mine, query q1, document b.',
  );
});

test('a frozen pool is not cut inside a tie either, alone or as a first stage', async () => {
  const tied = { docs: ['a', 'b', 'c', 'd'], scores: [3, 2, 2, 1] };
  const set = smallNano({ ...animals, pools: { hybrid: { q1: tied, q2: tied, q3: tied } } });
  const arena = arenaOf(set, engine);
  for (const [depth, size] of [
    [1, 1],
    [2, 3],
    [3, 3],
    [4, 4],
  ] as const) {
    for (const system of ['hybrid', `hybrid > bm25@${depth}`]) {
      const searcher = await bindSearcher(parseSystem(system), arena);
      const k = system === 'hybrid' ? depth : 100;
      const { rankings } = await rankAll({ nano: set, arena, searcher, system, depth: k, clock: () => 0 });
      expect(rankings.get(queryId('q1'))?.docs.length).toBe(size);
    }
  }
});

test('scores out of order are refused, whoever the system is', async () => {
  const arena = newArena();
  const base = await bindSearcher(parseSystem('bm25'), arena);
  const searcher = {
    ...base,
    search: () => ({ docs: Int32Array.of(0, 1), scores: Float64Array.of(1, 2), work: {}, stages: {} }),
  };
  await expect(rankAll({ nano, arena, searcher, system: 'mine', depth: 2, clock: () => 0 })).rejects.toThrow(
    'out of order',
  );
});

test('a live fusion keeps all that are tied at the cut', async () => {
  // Both parts rank these twins alike, so their fused scores are equal wherever the keyed hash puts them.
  const lists = {
    hybrid: { q1: { docs: ['a', 'b'], scores: [1, 1] }, q2: {}, q3: {} },
    dense: { q1: { docs: ['b', 'a'] }, q2: {}, q3: {} },
  };
  const set = smallNano({ ...animals, pools: lists });
  const arena = arenaOf(set, engine);
  const searcher = await bindSearcher(parseSystem('rrf(dense, hybrid)'), arena);
  const [first] = (await searcher.search(0, 2)).scores;
  const mirrored = await bindSearcher(parseSystem('rrf(dense, dense)'), arena);
  expect((await mirrored.search(0, 1)).docs.length).toBe(1);
  const { docs, scores } = await searcher.search(0, 1);
  expect(docs.length).toBe(scores.filter((score) => score === first).length);
  const both = smallNano({
    ...animals,
    pools: { dense: { q1: { docs: ['a', 'b'] } }, hybrid: { q1: { docs: ['b', 'a'] } } },
  });
  const fused = await bindSearcher(parseSystem('rrf(dense, hybrid)'), arenaOf(both, engine));
  expect((await fused.search(0, 1)).docs.length).toBe(2);
});

test('the work of a pipeline is that of both stages', async () => {
  const arena = newArena();
  const search = async (system: string) => (await bindSearcher(parseSystem(system), arena)).search(0, 100);
  const [first, both] = [await search('bm25'), await search('bm25 > lsa@2@50')];
  expect(both.work.postings).toBe(first.work.postings);
  expect(both.work.postings).toBeGreaterThan(0);
  expect(both.work.flops).toBeGreaterThan(0);
});
