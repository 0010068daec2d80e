import { describe, expect, it } from 'vitest';
import { preparedDense } from '../../runners/families/dense.js';
import { families } from '../../runners/families/index.js';
import { models } from '../../runners/models/index.js';
import type { Analyzer } from '../../runners/system.js';
import { outputOf, preparedOf } from './prepared.js';

const texts = { docs: ['a', 'b'], queries: ['c'] };
const from = (docs: readonly number[], queries: readonly number[]) =>
  preparedDense(
    outputOf({ dims: 2, docs: Float32Array.from(docs), queries: Float32Array.from(queries) }),
    texts,
    'given',
  );

describe('the dense family', () => {
  it('scales vectors to unit length, so that the score is the cosine', async () => {
    const { index } = preparedOf({ dims: 2, docs: Float32Array.of(3, 4, 0, 9), queries: Float32Array.of(0, 2) });
    const hits = await index.search(0, 2);
    expect([...hits.docs]).toEqual([1, 0]);
    expect(hits.scores[0]).toBe(1);
    expect(hits.scores[1]).toBeCloseTo(0.8, 6);
  });

  it('keeps the lengths of vectors whose similarity is the dot product', async () => {
    const vectors = { dims: 2, docs: Float32Array.of(3, 4, 0, 9), queries: Float32Array.of(0, 2) };
    const output = { ...outputOf(vectors), encoding: { kind: 'dense', similarity: 'dot', ...vectors } } as const;
    const hits = await preparedDense(output, texts, 'given').index.search(0, 2);
    expect([[...hits.docs], [...hits.scores]]).toEqual([
      [1, 0],
      [18, 8],
    ]);
  });

  it('keeps what the backend counted and says how scores come about', () => {
    const prepared = from([1, 0, 0, 1], [1, 1]);
    expect(prepared).toMatchObject({ encodeWork: { flops: 7 }, modelBytes: 11, applied: [] });
    expect(prepared.index).toBe(prepared.exact);
    expect(prepared.conditions).toMatchObject({ similarity: 'cosine', scorePrecision: 'float64' });
  });

  it.each([
    [[1, 0, Number.NaN, 1], [1, 1], /NaN in dimension 0 of the document at position 1/],
    [[1, 0, 0, 1], [1, Number.NEGATIVE_INFINITY], /-Infinity in dimension 1 of the query at position 0/],
  ])('names the text whose vector is not finite', (docs, queries, message) => {
    expect(() => from(docs, queries)).toThrow(message);
  });

  it('refuses a wrong amount of numbers, and a model of another family', async () => {
    expect(() => from([1, 0], [1, 1])).toThrow(/2 numbers for 2 texts of 2 dimensions/);
    const analyzer: Analyzer = { id: 'none', version: '1', analyze: () => [] };
    const dense = families.find(({ id }) => id === 'dense');
    await expect(dense?.prepare(texts, models.bind('bm25'), { analyzer, seed: 17 })).rejects.toThrow(
      /cannot read bm25/,
    );
  });
});
