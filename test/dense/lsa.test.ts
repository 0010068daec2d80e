import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareModel } from '../../runners/families/index.js';
import { lsa } from '../../runners/models/lsa.js';
import type { DenseEncoding, Engine, Prepared, Texts } from '../../runners/system.js';

const engine: Engine = {
  analyzer: { id: 'blanks', version: '1', analyze: (text) => text.split(' ').filter((word) => word !== '') },
  seed: 17,
};
const prepare = (docs: readonly string[], queries: readonly string[], dims = 4): Promise<Prepared> =>
  prepareModel({ docs, queries }, lsa.bind(String(dims)), engine);
const vectorsOf = ({ encoding }: Prepared): DenseEncoding => {
  if (encoding?.kind !== 'dense') throw new Error('not dense');
  return encoding;
};
const words = ['ship', 'boat', 'ocean', 'wood', 'tree', 'leaf', 'sail'];
const text = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((list) => list.join(' '));

describe('lsa', () => {
  it('is named by its dimensions', () => {
    expect(lsa.bind(undefined).id).toBe('lsa@256');
    expect(lsa.bind('064').id).toBe('lsa@64');
    expect(() => lsa.bind('1')).toThrow(/from 2 to 1024/);
    expect(() => lsa.bind('2000')).toThrow(/from 2 to 1024/);
  });

  it('finds a document that shares no word with the query, through the words they keep company with', async () => {
    const docs = ['ship ocean', 'boat ocean', 'ship sail ocean', 'tree wood', 'tree leaf', 'wood leaf'];
    const { index } = await prepare(docs, ['boat'], 2);
    const { docs: order, scores } = await index.search(0, 6);
    expect([...order.subarray(0, 3)].sort()).toEqual([0, 1, 2]);
    expect(scores[2]).toBeGreaterThan(0.9);
    expect(scores[3]).toBeLessThan(0.1);
  });

  it('gives a query of a document’s own text the vector of that document', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 12 }), async (docs) => {
        const encoding = vectorsOf(await prepare(docs, docs));
        expect(encoding.queries).toEqual(encoding.docs);
      }),
      { numRuns: 40 },
    );
  });

  it('never gives NaN, whatever the texts, and the same bytes each time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 9 }), fc.array(text, { maxLength: 3 }), async (docs, queries) => {
        const once = vectorsOf(await prepare(docs, queries, 16));
        expect(once).toEqual(vectorsOf(await prepare(docs, queries, 16)));
        expect([...once.docs, ...once.queries].every(Number.isFinite)).toBe(true);
        expect(once.docs).toHaveLength(docs.length * 16);
      }),
      { numRuns: 40 },
    );
  });

  it.each<[string, Texts, readonly number[]]>([
    ['one document', { docs: ['ship'], queries: ['ship boat'] }, [1]],
    ['two documents', { docs: ['ship', 'tree'], queries: ['ship'] }, [1, 0]],
    ['equal documents', { docs: ['ship', 'ship', 'ship'], queries: ['ship'] }, [1, 1, 1]],
    ['an empty document', { docs: ['ship', ''], queries: ['ship'] }, [1, 0]],
    ['empty documents only', { docs: ['', ''], queries: ['ship'] }, []],
    ['an empty query', { docs: ['ship', 'tree'], queries: [''] }, []],
    ['a query of unknown words', { docs: ['ship', 'tree'], queries: ['whale'] }, []],
  ])('handles %s', async (_, { docs, queries }, expected) => {
    const { index } = await prepare(docs, queries);
    const hits = await index.search(0, docs.length);
    expect([...hits.docs]).toEqual(expected.map((_, doc) => doc));
    hits.scores.forEach((score, i) => {
      expect(score).toBeCloseTo(expected[i], 6);
    });
  });

  it('states its rank where the documents have less to tell apart than it has dimensions', async () => {
    const { conditions, modelBytes, encodeWork, index } = await prepare(
      ['ship boat', 'tree', 'ship boat'],
      ['ship', 'whale', 'tree ship ship'],
      8,
    );
    expect(conditions).toMatchObject({ analyzer: 'blanks', 'lsa.dims': 8, 'lsa.rank': 2, 'lsa.terms': 3 });
    expect(modelBytes).toBe(3 * 2 * 4);
    // A row of the rank's two dimensions for each distinct term that a document holds.
    expect(encodeWork).toEqual([1, 0, 2].map((terms) => ({ flops: 2 * 2 * terms, lookUps: terms })));
    expect(index.bytesPerDoc).toBe(32);
  });

  it('does more than 64 documents through the random start, and depends on the seed alone', async () => {
    const docs = Array.from({ length: 90 }, (_, i) => `${words[i % 7]} ${words[(i * 3) % 5]} n${i % 31} n${i % 37}`);
    const other = await prepareModel({ docs, queries: docs }, lsa.bind('4'), { ...engine, seed: 18 });
    const encoding = vectorsOf(await prepare(docs, docs));
    expect(vectorsOf(await prepare(docs, docs))).toEqual(encoding);
    expect(vectorsOf(other)).not.toEqual(encoding);
    expect(encoding.queries).toEqual(encoding.docs);
  });
});
