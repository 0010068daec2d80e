import { describe, expect, it } from 'vitest';
import { prepareModel } from '../../runners/families/index.js';
import { termMatrices } from '../../runners/kernels/sparse-matrix-terms.js';
import { lsaExpand } from '../../runners/models/lsa-expand.js';
import type { SparseEncoding } from '../../runners/system.js';
import { engine, prepare, ranked, subjects } from './collection.js';

const small = lsaExpand.bind('dims=4,neighbours=3,weight=0.5');
const encodingOf = async (model = small): Promise<SparseEncoding> => {
  const { encoding } = await prepare(model);
  if (encoding?.kind !== 'sparse') throw new Error('not sparse');
  return encoding;
};

describe('lsa-expand', () => {
  it.each([
    [undefined, 'lsa-expand'],
    ['dims=128,neighbours=5,weight=0.1', 'lsa-expand'],
    ['weight=0.3,dims=64', 'lsa-expand@dims=64,weight=0.3'],
  ])('%s is %s', (argument, id) => {
    expect(lsaExpand.bind(argument).id).toBe(id);
  });

  it.each(['dims=1', 'dims=2.5', 'neighbours=0', 'neighbours=1.5', 'weight=0', 'weight=2', 'dim=3', '64'])(
    'refuses %s',
    (argument) => {
      expect(() => lsaExpand.bind(argument)).toThrow(/goes from|Write a number|Its parameters/);
    },
  );

  it('finds documents that share no word with the query, behind those that do', async () => {
    const hits = await ranked(await prepare(lsaExpand.bind('dims=4,neighbours=5,weight=0.3')), 0);
    expect(new Set([...hits.docs].slice(0, 2))).toEqual(new Set([0, 2]));
    expect(new Set([...hits.docs].slice(2))).toEqual(new Set([1, 3]));
    expect(hits.scores[2]).toBeLessThan(hits.scores[1]);
    expect((await ranked(await prepare(small), 2)).docs).toHaveLength(0);
  });

  it('adds to the plain rows only: what was there weighs no less, queries stay', async () => {
    const { docs, queries } = termMatrices(subjects, engine.analyzer);
    const { docs: rows, queries: asked, termCount } = await encodingOf();
    expect(termCount).toBe(docs.columns);
    expect([...asked.terms]).toEqual([...queries.rows.terms]);
    expect([...asked.weights]).toEqual([...queries.rows.weights]);
    for (let doc = 0; doc < subjects.docs.length; doc++) {
      const held = new Map<number, number>();
      for (let i = rows.offsets[doc]; i < rows.offsets[doc + 1]; i++) held.set(rows.terms[i], rows.weights[i]);
      const plain = docs.rows.terms.subarray(docs.rows.offsets[doc], docs.rows.offsets[doc + 1]);
      plain.forEach((term, i) => {
        expect(held.get(term)).toBeGreaterThanOrEqual(docs.rows.weights[docs.rows.offsets[doc] + i]);
      });
      expect(held.size).toBeGreaterThan(plain.length);
      expect(held.size).toBeLessThanOrEqual(4 * plain.length);
      expect([...held.values()].every((weight) => weight > 0)).toBe(true);
    }
  });

  it('leaves a term of one document without neighbours, as its vector is that document’s', async () => {
    const texts = { docs: ['alpha beta', 'gamma delta', 'gamma epsilon'], queries: ['alpha'] };
    const { encoding } = await prepareModel(texts, small, engine);
    if (encoding?.kind !== 'sparse') throw new Error('not sparse');
    expect([...encoding.docs.offsets]).toEqual([0, 2, 4, 6]);
  });

  it('says what it did, and counts what its queries need', async () => {
    const { conditions, modelBytes, encodeWork } = await prepare(small);
    expect(conditions).toMatchObject({
      analyzer: 'unicode',
      'lsa.dims': 4,
      'expand.neighbours': 3,
      'expand.weight': 0.5,
      'expand.queries': 'not expanded',
      'sparse.meanActiveDimsQueries': 2 / 4,
    });
    expect([modelBytes, encodeWork]).toEqual([8 * 12, [1, 1, 0, 0].map((lookUps) => ({ lookUps }))]);
  });

  it('stands collections of nothing, of one document and of empty ones', async () => {
    for (const docs of [[], ['one'], ['', ' '], ['a', 'a', 'a']]) {
      const prepared = await prepare(small, { docs, queries: ['a', ''] });
      const hits = await ranked(prepared, 0, 5);
      expect([...hits.docs]).toEqual(docs.length === 3 ? [0, 1, 2] : []);
    }
  });

  it('is the same each time', async () => {
    expect(await encodingOf()).toEqual(await encodingOf());
    expect(await encodingOf(lsaExpand.bind(undefined))).toEqual(await encodingOf(lsaExpand.bind(undefined)));
  });
});
