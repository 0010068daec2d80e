import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import bm25 from 'wink-bm25-text-search';
import { models } from '../../runners/models/index.js';
import { wink } from '../../runners/models/wink.js';
import { collections } from '../lexical/collections.js';
import { engine, prepare, ranked, subjects } from './collection.js';

const model = wink.bind(undefined);

describe('wink', () => {
  it('finds what our bm25 finds, with k1 + 1 times the score but for its rounding', async () => {
    await fc.assert(
      fc.asyncProperty(collections, async (some) => {
        const texts = { docs: [...some.docs, 'a b', 'c d e', 'f'], queries: some.queries };
        const [theirs, ours] = [await prepare(model, texts), await prepare(models.bind('bm25'), texts)];
        for (const query of texts.queries.keys()) {
          const [a, b] = [await ranked(theirs, query), await ranked(ours, query)];
          expect([...a.docs].sort((x, y) => x - y)).toEqual([...b.docs].sort((x, y) => x - y));
          const scores = new Map([...b.docs].map((doc, i) => [doc, 2.2 * b.scores[i]]));
          a.docs.forEach((doc, i) => void expect(a.scores[i]).toBeCloseTo(scores.get(doc) ?? Number.NaN, 7));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('counts postings as our index does', async () => {
    const texts = { docs: ['a b', 'b c', 'c', ''], queries: ['b c zzz', 'c c', ''] };
    const [theirs, ours] = [await prepare(model, texts), await prepare(models.bind('bm25'), texts)];
    for (const query of [0, 2]) expect((await ranked(theirs, query)).work).toEqual((await ranked(ours, query)).work);
    // A repeated term is read again by theirs, and once with a weight of 2 by ours.
    expect((await ranked(theirs, 1)).work).toEqual({ postings: 4 });
  });

  it('keeps ties at the cut, by position, whatever the order of the query’s words', async () => {
    const texts = { docs: ['p', 'q', 'p', 'q', 'x', 'y'], queries: ['p q', 'q p'] };
    const prepared = await prepare(model, texts);
    for (const query of [0, 1]) expect([...(await ranked(prepared, query, 1)).docs]).toEqual([0, 1, 2, 3]);
    expect((await ranked(prepared, 0, 0)).docs).toHaveLength(0);
  });

  it('gives more than its own limit of ten', async () => {
    const docs = [...Array.from({ length: 30 }, () => 'same'), 'other', 'third'];
    expect((await ranked(await prepare(model, { docs, queries: ['same'] }), 0, 15)).docs).toHaveLength(30);
  });

  it('scores candidates that match nothing with 0', async () => {
    const hits = await ranked(await prepare(model), 0, 8, Int32Array.of(7, 0, 1));
    expect([...hits.docs]).toEqual([0, 1, 7]);
    expect([...hits.scores].slice(1)).toEqual([0, 0]);
    // Nothing of the query before is left.
    expect([...(await ranked(await prepare(model), 2, 8, Int32Array.of(0))).scores]).toEqual([0]);
  });

  it.each([[[]], [['a']], [['a', 'b']]])('refuses the %j documents that it would throw at', async (docs) => {
    await expect(prepare(model, { docs, queries: ['a'] })).rejects.toThrow(/at least 3 documents: \d/);
  });

  it('stands hostile and empty texts', async () => {
    const docs = ['__proto__ constructor', '', 'toString hasOwnProperty', '\ud800', 'constructor'];
    const prepared = await prepare(model, { docs, queries: ['constructor', '__proto__', 'valueOf', ''] });
    expect([...(await ranked(prepared, 0)).docs]).toEqual([4, 0]);
    expect([...(await ranked(prepared, 1)).docs]).toEqual([0]);
    expect((await ranked(prepared, 2)).docs).toHaveLength(0);
    expect((await ranked(prepared, 3)).docs).toHaveLength(0);
    expect((await ranked(await prepare(model, { docs: ['', '', ''], queries: ['a'] }), 0)).docs).toHaveLength(0);
  });

  it('counts the bytes of its JSON export, but for its fixed frame', async () => {
    const { index } = await prepare(model);
    const theirs = bm25() as ReturnType<typeof bm25> & { readonly exportJSON: () => string };
    theirs.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1: 1.2, b: 0.75, k: 1 } });
    theirs.definePrepTasks([(text) => engine.analyzer.analyze(text)]);
    subjects.docs.forEach((text, id) => void theirs.addDoc({ text }, id));
    theirs.consolidate(9);
    expect(Math.abs(Buffer.byteLength(theirs.exportJSON()) - index.bytes)).toBeLessThan(250);
    expect(index.bytesPerDoc * subjects.docs.length).toBeLessThan(index.bytes);
  });

  it('has the parameters of bm25 and no encoding', async () => {
    expect([model.id, wink.bind('k1=0.9,b=0.4').id]).toEqual(['wink', 'wink@k1=0.9,b=0.4']);
    expect(() => wink.bind('b=2')).toThrow(/goes from 0 to 1/);
    const prepared = await prepare(model);
    expect(prepared).toMatchObject({ encoding: null, modelBytes: 0, applied: [] });
    expect(prepared.conditions).toMatchObject({ analyzer: 'unicode', 'wink.engine': 'wink-bm25-text-search 3.1.2' });
    const [a, b] = [
      await ranked(await prepare(wink.bind('b=0')), 0),
      await ranked(await prepare(models.bind('bm25@b=0')), 0),
    ];
    expect([...a.docs]).toEqual([...b.docs]);
  });

  it('is installed at the version that it names', async () => {
    const { createRequire } = await import('node:module');
    const manifest = createRequire(import.meta.url)('wink-bm25-text-search/package.json') as {
      readonly version: string;
    };
    expect(manifest.version).toBe('3.1.2');
  });
});
