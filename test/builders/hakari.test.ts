import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readCollection } from '../../builders/read.js';
import { samplers } from '../../builders/samplers/index.js';
import { fuse } from '../../runners/fuse.js';
import { bindSource } from '../../tasks/sources/index.js';

/** What HAKARI-Bench makes of the same collections: `head` chooses as it does, and so does the fusion. */
const shared = new URL('../../../shared/', import.meta.url).pathname;
const fixture = (path: string) => JSON.parse(gunzipSync(readFileSync(`${shared}fixtures/hakari/${path}`)).toString());
const there = existsSync(`${shared}fixtures/hakari`) && existsSync(`${shared}datasets/scifact`);

describe.skipIf(!there)('as HAKARI-Bench does (skipped without ../shared, which holds its output)', () => {
  test.each([
    ['NanoScifact', 'scifact', 200, 10_000],
    ['NanoScifactSmall', 'scifact', 50, 1000],
    ['NanoCosqa', 'cosqa', 200, 10_000],
  ])('`head` chooses the queries and documents of %s', async (set, folder, queries, docs) => {
    const collection = await readCollection(bindSource(`beir:${shared}datasets/${folder}`), { leniency: 'strict' });
    const sample = await samplers.bind('head').sample({
      collection,
      limits: { queries, docs },
      seed: 17,
      hardNegatives: () => Promise.reject(new Error('`head` needs none')),
    });
    const expected = fixture(`sets/${set}.json.gz`);
    expect(sample.queries.map((query) => collection.queries[query].id)).toEqual(expected.queries);
    expect([...sample.docs].map((slot) => collection.docIds[slot]).sort()).toEqual([...expected.docs].sort());
  });

  test('a fusion has the scores of its hybrid list, rank by rank', () => {
    const { bm25, dense, hybrid } = fixture('hybrid/NanoScifactSmall.json.gz') as Record<string, number[][]>;
    const places = Int32Array.from({ length: 1000 }, (_, i) => i);
    for (const [query, list] of hybrid.entries()) {
      const fused = fuse([bm25[query], dense[query]], 100, places);
      const scoreOf = new Map([...fused.docs].map((doc, i) => [doc, fused.scores[i]]));
      const expected = list.slice(0, 100).map((doc) => scoreOf.get(doc));
      expect([...fused.scores.subarray(0, 100)]).toEqual(expected);
    }
  });
});
