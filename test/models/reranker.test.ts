import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareModel } from '../../runners/families/index.js';
import type { CountingIndex, Engine, PretrainedModel } from '../../runners/system.js';
import { fakeModel, fakeRuntime } from './fake-models.js';

const texts = {
  docs: ['one', 'two', 'three', 'one', 'a document that is longer than twenty characters', ''],
  queries: ['first', 'second'],
};

async function countingIndex(model: PretrainedModel, engine: Engine): Promise<CountingIndex> {
  const counting = (await prepareModel(texts, model, engine)).countingIndex?.();
  if (counting === undefined) throw new Error('A reranker counts.');
  return counting;
}

describe('a reranker', () => {
  test('orders exactly the candidates, best first, equal texts tied, whatever order they come in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(5), { minLength: 1 }), fc.nat(7), async (among, k) => {
        const { engine } = fakeRuntime();
        const { index } = await prepareModel(texts, fakeModel('reranker'), engine);
        const hits = await index.search(0, k, Int32Array.from(among));
        const back = await index.search(0, k, Int32Array.from([...among].reverse()));
        expect([[...back.docs], [...back.scores]]).toEqual([[...hits.docs], [...hits.scores]]);
        const all = await index.search(0, 10, Int32Array.from(among));
        expect([...all.docs].sort()).toEqual([...among].sort());
        for (let i = 1; i < all.scores.length; i++) expect(all.scores[i]).toBeLessThanOrEqual(all.scores[i - 1]);
        const expected = k === 0 ? 0 : all.scores.filter((score) => !(score < all.scores[k - 1])).length;
        expect(hits.docs.length).toBe(k > among.length ? among.length : expected);
      }),
    );
  });

  test('shows candidates in an order that neither the first stage nor positions decide', async () => {
    const shown = async (among: readonly number[]) => {
      const { engine, worked } = fakeRuntime();
      const { index } = await prepareModel(texts, fakeModel('reranker'), engine);
      await index.search(0, 3, Int32Array.from(among));
      return worked;
    };
    const order = await shown([0, 1, 2, 4, 5]);
    expect(await shown([5, 4, 2, 1, 0])).toEqual(order);
    expect(order).not.toEqual([0, 1, 2, 4, 5].map((doc) => `first|${texts.docs[doc]}`));
    expect(order).not.toEqual([5, 4, 2, 1, 0].map((doc) => `first|${texts.docs[doc]}`));
  });

  test('scores a pair once: a second run asks nothing of the model', async () => {
    const { engine, worked } = fakeRuntime();
    const among = Int32Array.of(0, 1, 2);
    const first = await countingIndex(fakeModel('reranker'), engine);
    const a = await first.index.search(0, 3, among);
    const again = await countingIndex(fakeModel('reranker'), engine);
    const b = await again.index.search(0, 3, among);
    expect(worked).toHaveLength(3);
    expect(b).toEqual(a);
    expect(again.counted()).toEqual(first.counted());
  });

  test('counts for each system by itself', async () => {
    const { engine } = fakeRuntime();
    const prepared = await prepareModel(texts, fakeModel('reranker'), engine);
    const [one, two] = [prepared.countingIndex?.(), prepared.countingIndex?.()];
    await one?.index.search(0, 3, Int32Array.of(0, 1));
    await two?.index.search(0, 3, Int32Array.of(0, 1, 2));
    await prepared.index.search(0, 3, Int32Array.of(0, 1, 2, 3));
    expect(one?.counted().conditions['rerank.pairs']).toBe(2);
    expect(two?.counted().conditions['rerank.pairs']).toBe(3);
  });

  test('tells tokens, cuts and weights after the queries', async () => {
    const { engine } = fakeRuntime();
    const { index, counted } = await countingIndex(fakeModel('reranker'), engine);
    const hits = await index.search(0, 3, Int32Array.of(0, 4));
    expect(hits.work).toEqual({ tokens: 23 });
    expect(counted()).toEqual({
      modelBytes: 77,
      conditions: {
        ...{ 'fake.version': 1, 'rerank.pairs': 2, 'tokens.pairs.truncated': 1 },
        ...{ 'tokens.pairs.mean': 11.5, 'tokens.pairs.p50': 3, 'tokens.pairs.p95': 20, 'tokens.pairs.max': 20 },
      },
    });
  });

  test('cannot search a corpus by itself, and says what to write', async () => {
    const { index } = await prepareModel(texts, fakeModel('reranker'), fakeRuntime().engine);
    await expect(index.search(0, 3)).rejects.toThrow(/first stage.*hybrid > fake-reranker@100/);
  });

  test('an empty list is an empty answer', async () => {
    const { engine, worked } = fakeRuntime();
    const { index } = await prepareModel(texts, fakeModel('reranker'), engine);
    expect((await index.search(0, 3, new Int32Array(0))).docs).toHaveLength(0);
    expect(worked).toEqual([]);
  });
});

describe('a model that orders a list', () => {
  const lister: PretrainedModel = {
    ...fakeModel('reranker'),
    ranksLists: true,
    open: async ({ onNote }) => ({
      kind: 'ranker',
      conditions: {},
      modelBytes: 0,
      rank: async (_query, documents, k) => {
        onNote(`rank ${documents.length} to ${k}`);
        const order = [...documents.keys()].sort((a, b) => documents[b].length - documents[a].length);
        return { order, work: { tokens: 5 }, counts: { repaired: 1 } };
      },
      close: async () => undefined,
    }),
  };

  test('gives places as scores, and is asked again when more places are wanted', async () => {
    const { engine, worked } = fakeRuntime();
    const { index, counted } = await countingIndex(lister, engine);
    const among = Int32Array.of(0, 2, 4);
    const hits = await index.search(0, 2, among);
    expect([...hits.docs]).toEqual([4, 2]);
    expect([...hits.scores]).toEqual([3, 2]);
    await index.search(0, 2, among);
    await index.search(0, 3, among);
    await index.search(0, 30, among);
    expect(worked).toEqual(['rank 3 to 2', 'rank 3 to 3']);
    expect(counted().conditions).toMatchObject({ repaired: 4 });
  });
});
