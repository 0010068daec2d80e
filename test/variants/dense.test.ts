import { describe, expect, it } from 'vitest';
import { parseSystem } from '../../runners/grammar.js';
import type { Hits, Prepared, Variant } from '../../runners/system.js';
import { denseSubject, docCount } from './subjects.js';

const subjects = { dense: denseSubject('cosine'), dot: denseSubject('dot') };
const all = Int32Array.from({ length: docCount }, (_, doc) => doc);

function variantOf(text: string): Variant {
  const system = parseSystem(`bm25+${text}`);
  if (system.kind !== 'model' || system.variants.length !== 1) throw new Error(`${text} is not one variant`);
  return system.variants[0];
}

async function start(kind: keyof typeof subjects, before: readonly string[]): Promise<Prepared> {
  let prepared: Prepared = subjects[kind];
  for (const text of before) prepared = await variantOf(text).apply(prepared);
  return prepared;
}

const search = async (prepared: Prepared, k: number, among?: Int32Array): Promise<Hits> =>
  prepared.index.search(1, k, among);

describe('what each variant of dense vectors stores and computes, and how near it comes', () => {
  const system = async (...texts: readonly string[]): Promise<Prepared> => start('dense', texts);

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
    const [float, coded] = [
      await search(subjects.dense, docCount, all),
      await search(await system('int8'), docCount, all),
    ];
    const exact = new Map([...float.docs].map((doc, i) => [doc, float.scores[i]]));
    const errors = [...coded.docs].map((doc, i) => Math.abs(coded.scores[i] - (exact.get(doc) ?? Number.NaN)));
    expect(Math.max(...errors)).toBeLessThan(0.005);
  });

  it('rescoring everything is exact search, and its work is that of both', async () => {
    const rescored = await system('binary', `rescore@${docCount}`);
    const [exact, hits] = [await search(subjects.dense, 5), await search(rescored, 5)];
    expect([...hits.docs]).toEqual([...exact.docs]);
    expect([...hits.scores]).toEqual([...exact.scores]);
    // 160 bits are three words of 64.
    expect(hits.work).toEqual({ popcountWords: 3 * docCount, integerOps: 8 * docCount, flops: 320 * docCount });
    const { search: proposed, rescore } = hits.stages ?? {};
    expect(proposed).toEqual({ popcountWords: 3 * docCount, integerOps: 8 * docCount });
    expect(rescore).toEqual({ flops: 320 * docCount });
    expect((await search(rescored, 5, Int32Array.of(1, 2))).work).toEqual({ flops: 640 });
  });

  it('rescoring in a block tells its stages as alone', async () => {
    const { index } = await system('binary', 'rescore@2');
    const alone = await Promise.all([2, 0, 1].map((query) => index.search(query, 3)));
    expect(await index.searchBlock?.(Int32Array.of(2, 0, 1), 3)).toEqual(alone);
    // Ties at the cut of the first list are kept, so there may be more than 2·3.
    expect(alone.every(({ stages }) => (stages?.rescore?.flops ?? 0) >= 320 * 6)).toBe(true);
  });

  it.each([
    [[], 640],
    [['truncate@32'], 128],
    [['int8'], 640],
    [['int8@hakari'], 160],
    [['binary'], 20],
    [['int8', 'rescore@4'], 640],
    [['truncate@32', 'binary', 'rescore@4'], 132],
  ])('%j: %i bytes per query', async (texts, bytes) => {
    expect((await system(...texts)).index.bytesPerQuery).toBe(bytes);
  });

  it('truncation leaves the length alone where the dot product needs it', async () => {
    const short = await start('dot', ['truncate@32']);
    const [before, after] = [subjects.dot.encoding, short.encoding];
    if (before?.kind !== 'dense' || after?.kind !== 'dense') throw new Error('not dense');
    expect([...after.docs.subarray(32, 64)]).toEqual([...before.docs.subarray(160, 192)]);
    expect([after.similarity, short.conditions['truncate.renormalized']]).toEqual(['dot', false]);
  });

  it('a dimension in which all documents agree costs nothing and breaks nothing', async () => {
    const encoding = subjects.dense.encoding;
    if (encoding?.kind !== 'dense') throw new Error('not dense');
    const flat = { ...encoding, docs: encoding.docs.map((value, i) => (i % 160 === 7 ? 0.25 : value)) };
    for (const text of ['int8', 'int8@hakari', 'binary']) {
      const { index } = await variantOf(text).apply({ ...subjects.dense, encoding: flat });
      expect([...(await index.search(0, 2)).scores].every(Number.isFinite)).toBe(true);
    }
  });
});
