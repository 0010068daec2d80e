import { describe, expect, test } from 'vitest';
import { arenaOf, prepareSteps } from '../../runners/arena.js';
import { prepareModel } from '../../runners/families/index.js';
import type { PretrainedModel } from '../../runners/system.js';
import { variants } from '../../runners/variants/index.js';
import { fakeModel, fakeRuntime } from './fake-models.js';

const families: readonly PretrainedModel['family'][] = ['dense', 'sparse', 'late-interaction'];
const texts = {
  docs: Array.from({ length: 2500 }, (_, i) => `document ${i % 2400} ${'x'.repeat(i % 12)}`),
  queries: ['first', 'second query', 'a query that is longer than twenty characters'],
};

describe.each(families)('a %s model', (family) => {
  test('encodes each text once, and a second run encodes nothing', async () => {
    const { engine, worked } = fakeRuntime();
    const first = await prepareModel(texts, fakeModel(family), engine);
    expect(worked).toHaveLength(texts.docs.length + texts.queries.length);
    const again = await prepareModel(texts, fakeModel(family), engine);
    expect(worked).toHaveLength(texts.docs.length + texts.queries.length);
    expect(again.encoding).toEqual(first.encoding);
    expect(again.conditions).toEqual(first.conditions);
    expect(again.modelBytes).toBe(99);
  });

  test('says how many tokens there were and how many texts were cut', async () => {
    const { conditions, encodeWork } = await prepareModel(texts, fakeModel(family), fakeRuntime().engine);
    expect(conditions).toMatchObject({ 'tokens.queries.truncated': 1, 'fake.version': 1 });
    const cut = texts.docs.filter((text) => text.length > 20).length;
    expect(conditions['tokens.docs.truncated']).toBe(cut);
    expect(encodeWork).toEqual([{ tokens: 5 }, { tokens: 12 }, { tokens: 20 }]);
  });

  test('another identity, another text or another role is encoded anew', async () => {
    const { engine, worked } = fakeRuntime();
    const small = { docs: ['same'], queries: ['same'] };
    await prepareModel(small, fakeModel(family), engine);
    expect(worked).toEqual(['same', 'same']);
    await prepareModel(small, { ...fakeModel(family), identity: { fake: 'other' } }, engine);
    expect(worked).toHaveLength(4);
    await prepareModel({ docs: ['same', 'more'], queries: ['same'] }, fakeModel(family), engine);
    expect(worked).toHaveLength(6);
  });

  test('a corpus beyond the memory is scored in blocks, with the answers of the whole', async () => {
    const whole = await prepareModel(texts, fakeModel(family), fakeRuntime().engine);
    const { engine, worked } = fakeRuntime({ memoryBytes: 20_000 });
    const blocked = await prepareModel(texts, fakeModel(family), engine);
    expect(blocked.encoding?.kind).toBe('blocks');
    expect(blocked.conditions['memory.blocks']).toBe(3);
    for (const [name, value] of Object.entries(whole.conditions)) {
      if (typeof value === 'number') expect(blocked.conditions[name], name).toBeCloseTo(value, 9);
      else expect(blocked.conditions[name]).toBe(value);
    }
    expect(blocked.index.bytesPerDoc).toBeCloseTo(whole.index.bytesPerDoc, 9);
    if (family === 'dense') expect(blocked.index.bytes).toBe(whole.index.bytes);
    for (let query = 0; query < texts.queries.length; query++) {
      for (const k of [1, 10, 3000]) {
        const [a, b] = [await whole.index.search(query, k), await blocked.index.search(query, k)];
        expect([...b.docs]).toEqual([...a.docs]);
        expect([...b.scores]).toEqual([...a.scores]);
      }
      const among = Int32Array.of(3, 1023, 1024, 2047, 2048, 2499);
      const [a, b] = [await whole.index.search(query, 4, among), await blocked.index.search(query, 4, among)];
      expect([[...b.docs], [...b.scores], b.work]).toEqual([[...a.docs], [...a.scores], a.work]);
    }
    expect(worked).toHaveLength(texts.docs.length + texts.queries.length);
  });

  test('candidates are scored in blocks however few lie in each: one, or none', async () => {
    const whole = await prepareModel(texts, fakeModel(family), fakeRuntime().engine);
    const blocked = await prepareModel(texts, fakeModel(family), fakeRuntime({ memoryBytes: 20_000 }).engine);
    expect(blocked.conditions['memory.blocks']).toBe(3);
    for (const among of [[0], [1024], [2499], [7, 1500, 2400], [7, 8, 2047], [1023, 1024], []]) {
      const docs = Int32Array.from(among);
      const [a, b] = [await whole.index.search(1, 10, docs), await blocked.index.search(1, 10, docs)];
      expect(b.docs).toHaveLength(among.length);
      expect([[...b.docs], [...b.scores]]).toEqual([[...a.docs], [...a.scores]]);
    }
  });

  test('no texts are no error', async () => {
    const { engine } = fakeRuntime();
    const { index } = await prepareModel({ docs: [], queries: ['q'] }, fakeModel(family), engine);
    expect((await index.search(0, 10)).docs).toHaveLength(0);
  });

  test('without a way to files and services it is refused', async () => {
    const { analyzer, seed } = fakeRuntime().engine;
    await expect(prepareModel(texts, fakeModel(family), { analyzer, seed })).rejects.toThrow(
      /needs files or a service/,
    );
  });
});

describe('variants over blocks', () => {
  const nano = {
    docs: texts.docs.map((text, i) => ({ id: `d${i}`, text })),
    queries: texts.queries.map((text, i) => ({ id: `q${i}`, text })),
    pools: new Map(),
  } as unknown as Parameters<typeof arenaOf>[0];
  const system = async (memoryBytes: number, variant: string) => {
    const arena = arenaOf(nano, fakeRuntime({ memoryBytes }).engine);
    const steps = variant.split('+').map((text) => variants.bind(text));
    return prepareSteps(arena, fakeModel('dense'), steps);
  };

  test('one that changes each document by itself gives the answers of the whole', async () => {
    const [whole, blocked] = [await system(1e9, 'truncate@2'), await system(20_000, 'truncate@2')];
    expect(blocked.applied).toEqual(['truncate@2']);
    expect(blocked.conditions).toMatchObject({ 'truncate.dims': 2 });
    const [a, b] = [await whole.index.search(1, 50), await blocked.index.search(1, 50)];
    expect([[...b.docs], [...b.scores]]).toEqual([[...a.docs], [...a.scores]]);
  });

  test('rescoring what the blocks propose gives the answers of the whole, however it is asked', async () => {
    const [whole, blocked] = [await system(1e9, 'binary+rescore@2'), await system(20_000, 'binary+rescore@2')];
    expect(blocked.applied).toEqual(['binary', 'rescore@2']);
    const together = (await blocked.index.searchBlock?.(Int32Array.of(2, 0, 1), 5)) ?? [];
    for (const [i, query] of [2, 0, 1].entries()) {
      const [a, b] = [await whole.index.search(query, 5), await blocked.index.search(query, 5)];
      for (const hits of [b, together[i]]) {
        expect([[...hits.docs], [...hits.scores]]).toEqual([[...a.docs], [...a.scores]]);
      }
    }
    expect(blocked.index.bytes).toBe(whole.index.bytes);
    expect(blocked.index.bytesPerDoc).toBe(whole.index.bytesPerDoc);
  });

  test('one that looks at all documents together is refused with a reason', async () => {
    await expect(system(20_000, 'int8')).rejects.toThrow(/int8/);
  });
});
