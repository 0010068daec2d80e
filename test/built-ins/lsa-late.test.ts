import { describe, expect, it } from 'vitest';
import { lsaLate } from '../../runners/models/lsa-late.js';
import type { LateInteractionEncoding } from '../../runners/system.js';
import { prepare, ranked, subjects } from './collection.js';

const model = lsaLate.bind('4');
async function encodingOf(docs = subjects.docs, queries = subjects.queries): Promise<LateInteractionEncoding> {
  const { encoding } = await prepare(model, { docs, queries });
  if (encoding?.kind !== 'late-interaction') throw new Error('not late interaction');
  return encoding;
}
const rowsPerText = ({ offsets }: { readonly offsets: Int32Array }) =>
  Array.from({ length: offsets.length - 1 }, (_, text) => offsets[text + 1] - offsets[text]);

describe('lsa-late', () => {
  it('has its dimensions in its id', () => {
    expect([lsaLate.bind(undefined).id, model.id]).toEqual(['lsa-late@64', 'lsa-late@4']);
    for (const argument of ['1', '1025', 'x', '2.5']) expect(() => lsaLate.bind(argument)).toThrow(/whole number/);
  });

  it('gives each term of a text one vector of unit length, and unknown terms of queries none', async () => {
    const { docs, queries, dims } = await encodingOf();
    expect(rowsPerText(docs)).toEqual([4, 4, 4, 4, 4, 4, 4, 4]);
    expect(rowsPerText(queries)).toEqual([1, 1, 0, 0]);
    for (const vectors of [docs.vectors, queries.vectors]) {
      for (let at = 0; at < vectors.length; at += dims) {
        expect(Math.hypot(...vectors.subarray(at, at + dims))).toBeCloseTo(1, 6);
      }
    }
  });

  it('keeps a repeated term once', async () => {
    const { docs, queries } = await encodingOf(['a b a a', 'b c'], ['b b', 'a c a']);
    expect(rowsPerText(docs)).toEqual([2, 2]);
    expect(rowsPerText(queries)).toEqual([1, 2]);
  });

  it('ranks the documents of a subject, with its word or not, before all others', async () => {
    const prepared = await prepare(model);
    const [cars, cats] = [await ranked(prepared, 0, 8), await ranked(prepared, 1, 8)];
    expect(cars.docs).toHaveLength(8);
    expect(new Set([...cars.docs].slice(0, 4))).toEqual(new Set([0, 1, 2, 3]));
    expect(new Set([...cats.docs].slice(0, 4))).toEqual(new Set([4, 5, 6, 7]));
    // The word itself is there: its cosine is 1.
    expect([...cars.docs].slice(0, 2)).toEqual([0, 2]);
    expect(cars.scores[0]).toBeCloseTo(1, 6);
    expect((await ranked(prepared, 2)).docs).toHaveLength(0);
  });

  it('says what it did, and counts the vectors that its queries need', async () => {
    const { conditions, modelBytes, encodeWork } = await prepare(model);
    expect(conditions).toMatchObject({ 'lsa.dims': 4, 'lsa.terms': 12, 'late.meanVectorsDocs': 4, 'late.dims': 4 });
    expect([modelBytes, encodeWork]).toEqual([4 * 4 * 12, [1, 1, 0, 0].map((lookUps) => ({ lookUps }))]);
  });

  it('stands collections of nothing, of one document and of empty ones', async () => {
    for (const docs of [[], ['a'], ['', ' '], ['a', 'a']]) {
      const hits = await ranked(await prepare(model, { docs, queries: ['a', ''] }), 0, 5);
      expect([...hits.docs]).toEqual(docs.includes('a') ? [...docs.keys()] : []);
    }
  });

  it('is the same each time', async () => {
    expect(await encodingOf()).toEqual(await encodingOf());
  });
});
