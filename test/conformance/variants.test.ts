import { describe, expect, it } from 'vitest';
import type { Hits, Index, Prepared, Variant } from '../../runners/system.js';
import { variants } from '../../runners/variants/index.js';
import { preparedOf, randomVectors } from '../dense/prepared.js';

const docCount = 61;
const dense = preparedOf(randomVectors(docCount, 160));
const all = Int32Array.from({ length: docCount }, (_, doc) => doc);

const nothing: Index = {
  bytes: 0,
  bytesPerDoc: 0,
  search: () => ({ docs: new Int32Array(0), scores: new Float64Array(0), work: {} }),
};
const noRows = { offsets: Int32Array.of(0), terms: new Int32Array(0), weights: new Float64Array(0) };
const sparse: Prepared = {
  encoding: { kind: 'sparse', termCount: 0, docs: noRows, queries: noRows },
  exact: nothing,
  index: nothing,
  encodeWork: {},
  modelBytes: 0,
  conditions: {},
  applied: [],
};
const reranker: Prepared = { ...sparse, encoding: null };

/** The default of each plug-in, its other ways, and what must come before it. */
const cases: readonly (readonly [text: string, before: readonly string[]])[] = [
  ...variants.plugins.map(({ name }) => [name, name === 'rescore' ? ['binary'] : []] as const),
  ['int8@hakari', []],
  ['int8', ['truncate@32']],
  ['rescore@1', ['int8']],
  ['rescore@3', ['truncate@33', 'binary']],
];

async function start(before: readonly string[]): Promise<Prepared> {
  let prepared = dense;
  for (const text of before) prepared = await variants.bind(text).apply(prepared);
  return prepared;
}

/** Everything of a prepared system but its functions, as a deep copy. */
const facts = (prepared: Prepared) =>
  structuredClone({ ...prepared, exact: prepared.exact.bytes, index: prepared.index.bytes });
const search = async (prepared: Prepared, k: number, among?: Int32Array): Promise<Hits> =>
  prepared.index.search(1, k, among);

function expectOrdered({ docs, scores }: Hits): void {
  for (let i = 1; i < docs.length; i++) {
    expect(scores[i] < scores[i - 1] || (scores[i] === scores[i - 1] && docs[i] > docs[i - 1])).toBe(true);
  }
}

describe.each(cases)('variant %s after %j', (text, before) => {
  const variant: Variant = variants.bind(text);

  it('has a canonical id: what it prints binds to itself', () => {
    expect(variants.bind(variant.id).id).toBe(variant.id);
  });

  it('adds its id to what was applied, keeps what was stated, and states what it did', async () => {
    const given = await start(before);
    expect(variant.accepts(given)).toBeNull();
    const applied = await variant.apply(given);
    expect(applied.applied).toEqual([...given.applied, variant.id]);
    expect(applied.conditions).toMatchObject(given.conditions);
    expect(Object.keys(applied.conditions).length).toBeGreaterThan(Object.keys(given.conditions).length);
    expect(applied).toMatchObject({ encodeWork: given.encodeWork, modelBytes: given.modelBytes });
  });

  it('leaves its input as it was', async () => {
    const given = await start(before);
    const [copy, hits] = [facts(given), await search(given, 10)];
    await search(await variant.apply(given), 10);
    expect(facts(given)).toEqual(copy);
    expect(await search(given, 10)).toEqual(hits);
  });

  it('gives the same each time', async () => {
    const once = await variant.apply(await start(before));
    const again = await variant.apply(await start(before));
    for (let query = 0; query < 4; query++) {
      expect(await again.index.search(query, 7)).toEqual(await once.index.search(query, 7));
    }
    expect(facts(again)).toEqual(facts(once));
  });

  it('ranks all documents alike with and without among, and its own answer again', async () => {
    const prepared = await variant.apply(await start(before));
    const { docs, scores } = await search(prepared, docCount);
    expect([...docs].sort((a, b) => a - b)).toEqual([...all]);
    expect(await search(prepared, docCount, all)).toMatchObject({ docs, scores });
    const best = await search(prepared, 9);
    expect(await search(prepared, 9, best.docs)).toMatchObject({ docs: best.docs, scores: best.scores });
  });

  it('ranks exactly the documents of among, whatever their order', async () => {
    const prepared = await variant.apply(await start(before));
    const some = await search(prepared, docCount, Int32Array.of(40, 3, 11));
    expect([...some.docs].sort((a, b) => a - b)).toEqual([3, 11, 40]);
    expect(await search(prepared, docCount, Int32Array.of(3, 11, 40))).toEqual(some);
    expect((await search(prepared, 5, new Int32Array(0))).docs).toHaveLength(0);
  });

  it('orders by score, then position, and cuts no tie', async () => {
    const prepared = await variant.apply(await start(before));
    const whole = await search(prepared, docCount, all);
    expectOrdered(whole);
    for (const k of [0, 1, 2, 3, 10, docCount + 5]) {
      const { docs, scores } = await search(prepared, k, all);
      const last = whole.scores[Math.min(k, docCount) - 1];
      const kept = k === 0 ? 0 : [...whole.scores].filter((score) => score >= last).length;
      expect([...docs]).toEqual([...whole.docs.subarray(0, kept)]);
      expect([...scores]).toEqual([...whole.scores.subarray(0, kept)]);
      expectOrdered(await search(prepared, k));
    }
  });

  it('counts its bytes and its work', async () => {
    const { index } = await variant.apply(await start(before));
    expect(index.bytesPerDoc).toBeGreaterThan(0);
    expect(index.bytes).toBeGreaterThanOrEqual(index.bytesPerDoc * docCount);
    const { work } = await index.search(0, 3);
    expect(Object.values(work).length).toBeGreaterThan(0);
    expect(Object.values(work).every((amount) => amount > 0)).toBe(true);
  });

  it('refuses what has no dense vectors in a sentence, and does not apply', async () => {
    for (const other of [sparse, reranker]) {
      expect(variant.accepts(other)?.reason).toMatch(/^\S.*\.$/);
      await expect(async () => variant.apply(other)).rejects.toThrow(/does not fit/);
    }
  });
});

describe('order of variants', () => {
  it.each([
    [['int8'], 'truncate@32', /comes before `int8`/],
    [['binary'], 'int8', /comes before `binary`/],
    [['int8'], 'int8', /not twice/],
    [['int8', 'rescore@2'], 'binary', /comes before `rescore@2`/],
    [['int8', 'rescore@2'], 'rescore@4', /comes once/],
    [[], 'rescore@4', /nothing to rescore/],
    [['truncate@32'], 'rescore@4', /nothing to rescore/],
    [[], 'truncate@160', /cuts nothing off: the vectors have 160 dimensions/],
    [['truncate@32'], 'truncate@64', /cuts nothing off: the vectors have 32 dimensions/],
  ])('after %j, %s is refused', async (before, text, reason) => {
    expect(variants.bind(text).accepts(await start(before))?.reason).toMatch(reason);
  });

  it.each(['truncate@0', 'truncate@x', 'int8@4', 'binary@2', 'rescore@0', 'rescore@1.5', 'tuncate@3'])(
    '%s is a wrong text',
    (text) => {
      expect(() => variants.bind(text)).toThrow(/Write|Did you mean/);
    },
  );
});

describe('what each variant stores and how near it comes', () => {
  const system = async (...texts: readonly string[]): Promise<Prepared> => start(texts);

  it.each([
    [[], 640, 640 * docCount],
    [['truncate@32'], 128, 128 * docCount],
    [['int8'], 160, 160 * docCount + 8 * 160],
    [['int8@hakari'], 160, 160 * docCount + 8 * 160],
    [['binary'], 20, 20 * docCount],
    [['truncate@33', 'binary'], 8, 8 * docCount],
    [['int8', 'rescore@4'], 800, 800 * docCount + 8 * 160],
    [['truncate@32', 'binary', 'rescore@4'], 132, 132 * docCount],
  ])('%j: %i bytes per document, %i in all', async (texts, perDoc, bytes) => {
    const { index } = await system(...texts);
    expect([index.bytesPerDoc, index.bytes]).toEqual([perDoc, bytes]);
  });

  it('int8 is near the float score', async () => {
    const [float, coded] = [await search(dense, docCount, all), await search(await system('int8'), docCount, all)];
    const exact = new Map([...float.docs].map((doc, i) => [doc, float.scores[i]]));
    const errors = [...coded.docs].map((doc, i) => Math.abs(coded.scores[i] - (exact.get(doc) ?? Number.NaN)));
    expect(Math.max(...errors)).toBeLessThan(0.005);
  });

  it('rescoring everything is exact search, and its work is that of both', async () => {
    const rescored = await system('binary', `rescore@${docCount}`);
    const [exact, hits] = [await search(dense, 5), await search(rescored, 5)];
    expect([...hits.docs]).toEqual([...exact.docs]);
    expect([...hits.scores]).toEqual([...exact.scores]);
    expect(hits.work).toEqual({ popcountWords: 5 * docCount, flops: 320 * docCount });
    expect((await search(rescored, 5, Int32Array.of(1, 2))).work).toEqual({ flops: 640 });
  });

  it('a dimension in which all documents agree costs nothing and breaks nothing', async () => {
    const vectors = { dims: 3, docs: Float32Array.of(1, 0, 2, 1, 0, 3), queries: Float32Array.of(1, 5, 0) };
    for (const text of ['int8', 'int8@hakari', 'binary']) {
      const { index } = await variants.bind(text).apply(preparedOf(vectors));
      expect([...(await index.search(0, 2)).scores].every(Number.isFinite)).toBe(true);
    }
  });
});
