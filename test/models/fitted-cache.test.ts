import { describe, expect, test } from 'vitest';
import { analyzers } from '../../runners/analyzers/index.js';
import { prepareModel } from '../../runners/families/index.js';
import { models } from '../../runners/models/index.js';
import { fakeRuntime } from './fake-models.js';

const texts = { docs: ['the cat sat', 'a dog and a cat', 'birds at sea', 'the sea'], queries: ['cat', 'sea bird'] };

describe.each(['lsa@4', 'lsa-expand@dims=4', 'lsa-late@4'])('%s from the cache', (id) => {
  test('is what it was when it was fitted, and is not fitted again', async () => {
    const { engine, entries } = fakeRuntime();
    const first = await prepareModel(texts, models.bind(id), engine);
    expect(entries.size).toBe(1);
    const again = await prepareModel(texts, models.bind(id), engine);
    expect(entries.size).toBe(1);
    expect(again.encoding).toEqual(first.encoding);
    expect(again.conditions).toEqual(first.conditions);
    expect([again.modelBytes, again.encodeWork]).toEqual([first.modelBytes, first.encodeWork]);
    const { analyzer, seed } = engine;
    expect((await prepareModel(texts, models.bind(id), { analyzer, seed })).encoding).toEqual(first.encoding);
  });

  test('another seed, analyzer, document or query is another entry', async () => {
    const { engine, entries } = fakeRuntime();
    await prepareModel(texts, models.bind(id), engine);
    await prepareModel(texts, models.bind(id), { ...engine, seed: 18 });
    await prepareModel(texts, models.bind(id), { ...engine, analyzer: analyzers.bind('bigram') });
    await prepareModel({ ...texts, docs: [...texts.docs, 'more'] }, models.bind(id), engine);
    await prepareModel({ ...texts, queries: ['dog'] }, models.bind(id), engine);
    expect(entries.size).toBe(5);
  });

  test('an entry of another shape is passed by', async () => {
    const { engine, entries } = fakeRuntime();
    const first = await prepareModel(texts, models.bind(id), engine);
    for (const [key, entry] of entries) entries.set(key, { ...entry, arrays: { docs: Uint8Array.of(1) } });
    expect((await prepareModel(texts, models.bind(id), engine)).encoding).toEqual(first.encoding);
  });
});
