import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { byCodePoint } from '../../core/order.js';
import type { Hits, Prepared } from '../../runners/system.js';
import { variants } from '../../runners/variants/index.js';
import { preparedOf } from './prepared.js';

interface Golden {
  readonly docs: readonly string[];
  readonly rankings: Readonly<Record<string, readonly (readonly number[])[]>>;
}

const folder = new URL('../golden/hakari-vectors/', import.meta.url);
const unzipped = (name: string) => gunzipSync(readFileSync(new URL(name, folder)));
const golden = JSON.parse(unzipped('NanoScifactSmall.rankings.json.gz').toString()) as Golden;
const dims = 384;

/** HAKARI breaks ties by document id: documents are put in that order, so that position order is id order. */
const order = [...golden.docs.keys()].sort((a, b) => byCodePoint(golden.docs[a], golden.docs[b]));
const places = Int32Array.from({ length: order.length }, (_, doc) => order.indexOf(doc));

function readVectors(): Prepared {
  const bytes = unzipped('NanoScifactSmall.f32le.gz');
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const docs = new Float32Array(order.length * dims);
  order.forEach((doc, place) => {
    docs.set(all.subarray(doc * dims, (doc + 1) * dims), place * dims);
  });
  return preparedOf({ dims, docs, queries: all.slice(order.length * dims) });
}

const base = readVectors();
const system = async (...ids: readonly string[]): Promise<Prepared> => {
  let prepared = base;
  for (const id of ids) prepared = await variants.bind(id).apply(prepared);
  return prepared;
};
const expected = (variant: string) => golden.rankings[variant].map((list) => list.map((doc) => places[doc]));
const search = (prepared: Prepared, depth: number): Promise<Hits[]> =>
  Promise.all(golden.rankings.base.map((_, query) => prepared.index.search(query, depth)));

/** What float32 sums cannot tell apart. */
const nearTie = 3e-7;

/** How far each of our scores at a rank is from our score of the document that HAKARI has there. */
function farthestSwap(prepared: Prepared, variant: string): Promise<number[]> {
  const lists = expected(variant).map(async (list, query) => {
    const theirs = await prepared.index.search(query, list.length, Int32Array.from(list));
    const ours = await prepared.index.search(query, list.length);
    const scores = new Map([...theirs.docs].map((doc, i) => [doc, theirs.scores[i]]));
    return Math.max(...list.map((doc, rank) => Math.abs((scores.get(doc) ?? Number.NaN) - ours.scores[rank])));
  });
  return Promise.all(lists);
}

describe('rankings that HAKARI-Bench makes of the same vectors', () => {
  it.each([
    ['binary', ['binary']],
    ['int8', ['int8@hakari']],
    ['truncate_dim_128_binary', ['truncate@128', 'binary']],
  ])('%s: every list, document by document', async (name, ids) => {
    const hits = await search(await system(...ids), 100);
    expect(hits.map(({ docs }) => [...docs.subarray(0, 100)])).toEqual(expected(name));
  });

  it('truncate_dim_128_int8: torch normalizes in float32, which moves one code in one of 50 lists', async () => {
    const swaps = await farthestSwap(await system('truncate@128', 'int8@hakari'), 'truncate_dim_128_int8');
    expect(swaps.filter((swap) => swap > 0)).toHaveLength(1);
    expect(Math.max(...swaps)).toBeLessThanOrEqual(128);
  });

  it.each([
    ['base', []],
    ['truncate_dim_64', ['truncate@64']],
    ['truncate_dim_128', ['truncate@128']],
    ['truncate_dim_256', ['truncate@256']],
  ])('%s: float32 sums swap only what float64 sums hardly tell apart', async (name, ids) => {
    expect(Math.max(...(await farthestSwap(await system(...ids), name)))).toBeLessThan(nearTie);
  });

  it.each([
    ['int8_rescore', ['int8@hakari']],
    ['binary_rescore', ['binary']],
    ['truncate_dim_128_int8_rescore', ['truncate@128', 'int8@hakari']],
  ])('%s: their 100 in their order; ours keeps what is tied at the cut besides', async (name, ids) => {
    const first = await system(...ids);
    const rescored = await variants.bind('rescore@1').apply(first);
    for (const [query, list] of expected(name).entries()) {
      const proposed = await first.index.search(query, 100);
      const hits = await rescored.index.search(query, proposed.docs.length, proposed.docs);
      const scores = new Map([...hits.docs].map((doc, i) => [doc, hits.scores[i]]));
      const theirs = list.map((doc) => scores.get(doc) ?? Number.NaN);
      expect(theirs.every((score, i) => i === 0 || score <= theirs[i - 1] + nearTie)).toBe(true);
      const beyond = [...proposed.docs].flatMap((doc, i) => (list.includes(doc) ? [] : [proposed.scores[i]]));
      expect(beyond.every((score) => score === proposed.scores[99])).toBe(true);
      const best = await rescored.index.search(query, 100);
      expect([...best.docs]).toEqual([...hits.docs.subarray(0, best.docs.length)]);
    }
  });
});
