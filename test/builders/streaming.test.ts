import { expect, test } from 'vitest';
import { readCollection } from '../../builders/read.js';
import { memorySource, wordCollection } from './memory-source.js';

test('texts are streamed: a collection far larger than what is kept of it leaves memory alone', async () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  let peakBytes = 0;
  async function* docs() {
    for (let i = 0; i < 4000; i++) {
      if (i % 100 === 0) peakBytes = Math.max(peakBytes, process.memoryUsage().heapUsed);
      yield { id: `d${i}`, title: '', text: `${letters[i % 26]}${i} `.repeat(10_000), at: `docs:${i + 1}` };
    }
  }
  const source = { ...memorySource(wordCollection(5)), docs };
  const startBytes = process.memoryUsage().heapUsed;
  const { docIds } = await readCollection(
    { ...source, queries: async function* () {}, qrels: async function* () {} },
    { leniency: 'strict' },
  );
  expect(docIds.length).toBe(4000);
  // The texts are 250 MB; what is kept of each is its id and a digest.
  expect(peakBytes - startBytes).toBeLessThan(125_000_000);
});
