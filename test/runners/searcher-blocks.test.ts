import { expect, test } from 'vitest';
import { arenaOf } from '../../runners/arena.js';
import type { System } from '../../runners/grammar.js';
import { parseSystem } from '../../runners/grammar.js';
import { rankAll } from '../../runners/rank.js';
import { bindSearcher } from '../../runners/searcher.js';
import { fakeModel, fakeRuntime, memoryCache } from '../models/fake-models.js';

const nano = {
  docs: Array.from({ length: 2500 }, (_, i) => ({
    id: `d${i}`,
    text: `document ${i} ${i % 3 === 0 ? 'red' : 'blue'}`,
  })),
  queries: Array.from({ length: 20 }, (_, i) => ({ id: `q${i}`, text: i % 2 === 0 ? 'red' : `blue ${i}` })),
  pools: new Map(),
} as unknown as Parameters<typeof arenaOf>[0];
const system: System = {
  kind: 'pipeline',
  id: 'bm25 > fake-dense@30',
  first: parseSystem('bm25'),
  second: { kind: 'model', id: 'fake-dense', model: fakeModel('dense'), variants: [] },
  depth: 30,
} as unknown as System;

async function ranked(memoryBytes: number) {
  const { cache } = memoryCache();
  let reads = 0;
  const counting = {
    ...cache,
    get: (...key: Parameters<typeof cache.get>) => {
      reads++;
      return cache.get(...key);
    },
  };
  const arena = arenaOf(nano, fakeRuntime({ memoryBytes, cache: counting }).engine);
  const searcher = await bindSearcher(system, arena);
  const before = reads;
  const { rankings, queryWork } = await rankAll({
    nano,
    arena,
    searcher,
    system: system.id,
    depth: 10,
    clock: () => 0,
  });
  return { rankings, queryWork, reads: reads - before };
}

test('reranking a corpus in blocks reads each block once for all queries, with the answers of the whole', async () => {
  const [whole, blocked] = [await ranked(1e9), await ranked(20_000)];
  expect(whole.reads).toBe(0);
  // 2,500 documents are three shards.
  expect(blocked.reads).toBe(3);
  expect(blocked.rankings).toEqual(whole.rankings);
  expect(blocked.queryWork).toEqual(whole.queryWork);
});
