import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzers } from '../../runners/analyzers/index.js';
import { lexical, lexicalIndexBuilder } from '../../runners/families/lexical.js';
import { bm25 } from '../../runners/models/bm25.js';
import { models } from '../../runners/models/index.js';
import type { SparseRows } from '../../runners/system.js';
import { collections, prepare, scoresOf } from './collections.js';

const row = ({ offsets, terms, weights }: SparseRows, r: number) =>
  new Map([...terms.subarray(offsets[r], offsets[r + 1])].map((term, i) => [term, weights[offsets[r] + i]]));

describe('the lexical family', () => {
  it('finds exactly the documents that share a term, each with the score that it has among all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('bm25', 'ql-dirichlet'), collections, async (system, texts) => {
        const prepared = await prepare(system, texts);
        const all = await scoresOf(prepared, texts);
        for (const [q, query] of texts.queries.entries()) {
          const hits = await prepared.index.search(q, texts.docs.length);
          const shares = (doc: string) => query.split(' ').some((word) => word !== '' && doc.split(' ').includes(word));
          expect([...hits.docs].sort((a, b) => a - b)).toEqual(
            [...texts.docs.keys()].filter((doc) => shares(texts.docs[doc])),
          );
          hits.docs.forEach((doc, i) => void expect(hits.scores[i]).toBe(all[q][doc]));
        }
      }),
    );
  });

  it('scores the dot product of its encoding, whose rows are in term order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('bm25', 'ql-dirichlet', 'tf-idf'), collections, async (system, texts) => {
        const prepared = await prepare(system, texts);
        const { encoding } = prepared;
        if (encoding?.kind !== 'sparse') throw new Error('not sparse');
        const scores = await scoresOf(prepared, texts);
        for (const q of texts.queries.keys()) {
          const query = row(encoding.queries, q);
          const mass = [...query.values()].reduce((sum, weight) => sum + weight, 0);
          for (const d of texts.docs.keys()) {
            const doc = row(encoding.docs, d);
            expect([...doc.keys()]).toEqual([...doc.keys()].sort((a, b) => a - b));
            const dot = [...query].reduce((sum, [term, weight]) => sum + weight * (doc.get(term) ?? 0), 0);
            expect(scores[q][d]).toBe(dot + (encoding.docBias === undefined ? 0 : mass * encoding.docBias[d]));
          }
        }
      }),
    );
  });

  it('counts a repeated query term as often, and passes over unknown ones', async () => {
    const texts = { docs: ['x y', 'y z', ''], queries: ['x', 'x x', 'x nowhere', 'nowhere', '', 'z x'] };
    const prepared = await prepare('bm25', texts);
    const [once, twice, withUnknown] = await scoresOf(prepared, texts);
    expect(twice[0]).toBe(2 * once[0]);
    expect(withUnknown).toEqual(once);
    for (const query of [3, 4]) expect([...(await prepared.index.search(query, 10)).docs]).toEqual([]);
    expect([...(await prepared.index.search(5, 10)).docs]).toEqual([0, 1]);
  });

  it('keeps the whole tie at the cut, and gives no more than there is', async () => {
    const texts = { docs: ['x', 'y', 'x', 'x x'], queries: ['x'] };
    const { index } = await prepare('bm25@b=0', texts);
    expect([...(await index.search(0, 1)).docs]).toEqual([3]);
    expect([...(await index.search(0, 2)).docs]).toEqual([3, 0, 2]);
    expect([...(await index.search(0, 100)).docs]).toEqual([3, 0, 2]);
    expect([...(await index.search(0, 0)).docs]).toEqual([]);
    expect([...(await index.search(0, 4, Int32Array.of(1, 2))).docs]).toEqual([2, 1]);
  });

  it.each(['bm25', 'ql-dirichlet', 'tf-idf', 'bm25@scoring=robertson'])(
    '%s stands collections of one document, of none, and of empty ones',
    async (system) => {
      const one = await prepare(system, { docs: ['x'], queries: ['x'] });
      expect((await one.index.search(0, 5, Int32Array.of(0))).scores).toHaveLength(1);
      expect((await (await prepare(system, { docs: [], queries: ['x'] })).index.search(0, 5)).docs).toHaveLength(0);
      const empty = await prepare(system, { docs: ['', '…'], queries: ['x', ''] });
      expect((await empty.index.search(0, 5)).docs).toHaveLength(0);
      expect([...(await empty.index.search(1, 5, Int32Array.of(1, 0))).scores]).toEqual([0, 0]);
    },
  );

  it('builds the same from a stream, and says by what analyzer', async () => {
    const texts = { docs: ['the cats', 'a cat ran', 'dogs'], queries: ['cat running'] };
    const analyzer = analyzers.bind('english');
    const whole = await lexical.prepare(texts, bm25.bind(undefined), { analyzer, seed: 1 });
    const builder = lexicalIndexBuilder(bm25.bind(undefined), analyzer);
    for (const text of texts.docs) builder.addDocument(text);
    const streamed = builder.finish(texts.queries);
    expect(await streamed.index.search(0, 10)).toEqual(await whole.index.search(0, 10));
    expect(streamed.index.bytes).toBe(whole.index.bytes);
    expect(whole.conditions).toMatchObject({ analyzer: 'english', analyzerVersion: analyzer.version });
    expect(whole).toMatchObject({ modelBytes: 0, encodeWork: {}, applied: [] });
  });

  it('refuses a model of another family', async () => {
    const dense = models.bind('lsa@2');
    const engine = { analyzer: analyzers.bind('unicode'), seed: 1 };
    await expect(lexical.prepare({ docs: [], queries: [] }, dense, engine)).rejects.toThrow('cannot read lsa@2');
  });
});
