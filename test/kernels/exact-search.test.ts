import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactIndex } from '../../runners/kernels/dense-index.js';
import type { ScoreBlocks } from '../../runners/kernels/float-pass.js';
import { int16Pass } from '../../runners/kernels/int16-pass.js';
import { survivorsNow } from '../../runners/kernels/quick-search.js';
import type { DenseEncoding, Hits, Index } from '../../runners/system.js';
import { corpora, naiveDot, naiveSearch, plain, vectorsOf } from './vectors.js';

/** As wrong as the bound of float32 allows, upwards and downwards in turn. */
const worstFloats: ScoreBlocks = async (queries, rows, dims) => {
  const lengthOf = (vectors: Float32Array, start: number) => Math.hypot(...vectors.subarray(start, start + dims));
  const [queryCount, rowCount] = [queries.length / dims, rows.length / dims];
  return Float32Array.from({ length: queryCount * rowCount }, (_, at) => {
    const [q, r] = [Math.floor(at / rowCount) * dims, (at % rowCount) * dims];
    const error = dims * 2 ** -24 * lengthOf(queries, q) * lengthOf(rows, r);
    return naiveDot(queries, q, rows, r, dims) + (at % 2 ? error : -error);
  });
};

const queriesOf = ({ queries, dims }: DenseEncoding) => Int32Array.from({ length: queries.length / dims }, (_, i) => i);
const searched = (index: Index, query: number, k: number) => plain(index.search(query, k) as Hits);

describe('exact search', () => {
  it('finds what a full scan finds, to the last bit, by every way', async () => {
    await fc.assert(
      fc.asyncProperty(corpora, async ({ encoding, k }) => {
        const quick = exactIndex(encoding);
        const scalar = exactIndex(encoding, { arithmetic: 'scalar' });
        const floats = exactIndex(encoding, { scoreBlocks: worstFloats });
        const queries = queriesOf(encoding);
        const naive = Array.from(queries, (query) => naiveSearch(encoding, query, k));
        expect(Array.from(queries, (query) => searched(quick, query, k))).toEqual(naive);
        expect(Array.from(queries, (query) => searched(scalar, query, k))).toEqual(naive);
        for (const index of [quick, scalar, floats]) {
          expect((await index.searchBlock?.(queries, k))?.map(plain)).toEqual(naive);
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each(['normal', 'cancelling', 'spiked', 'mixed lengths'] as const)(
    'does so for 700 documents and 70 %s queries, in several blocks and tiles',
    async (kind) => {
      const dims = 33;
      const docs = vectorsOf(3, 700, dims, { kinds: [kind], copies: 1 });
      const queries = vectorsOf(4, 70, dims, { kinds: [kind], copies: 0 });
      const encoding: DenseEncoding = { kind: 'dense', dims, similarity: 'dot', docs, queries };
      const hits = (await exactIndex(encoding).searchBlock?.(queriesOf(encoding), 10)) ?? [];
      expect(hits.map(plain)).toEqual(hits.map((_, query) => naiveSearch(encoding, query, 10)));
    },
  );

  it('tells most documents apart: the quick look leaves few of 2,000', () => {
    const dims = 64;
    const docs = vectorsOf(5, 2000, dims, { kinds: ['normal'], copies: 0 });
    const queries = vectorsOf(6, 3, dims, { kinds: ['normal'], copies: 0 });
    const pass = int16Pass({ dims, docs, queries });
    if (pass === null) throw new Error('64 dimensions are few');
    for (const survivors of survivorsNow(pass, { queries: Int32Array.of(0, 1, 2), k: 10 })) {
      expect(survivors?.length).toBeLessThan(15);
    }
  });

  it('ranks all documents where all are tied', async () => {
    const docs = new Float32Array(900).fill(0.1);
    const encoding: DenseEncoding = { kind: 'dense', dims: 3, similarity: 'dot', docs, queries: docs.slice(0, 3) };
    const index = exactIndex(encoding);
    const naive = naiveSearch(encoding, 0, 5);
    expect(naive.docs).toHaveLength(300);
    expect(searched(index, 0, 5)).toEqual(naive);
    expect((await index.searchBlock?.(Int32Array.of(0), 5))?.map(plain)).toEqual([naive]);
  });

  it('answers a block in the order asked, repeats and blank queries included', async () => {
    const encoding: DenseEncoding = {
      kind: 'dense',
      dims: 2,
      similarity: 'dot',
      docs: Float32Array.of(1, 0, 0, 1, 1, 1, 0, 2, 3, 0),
      queries: Float32Array.of(1, 0, 0, 0, 0, 1),
    };
    const hits = (await exactIndex(encoding).searchBlock?.(Int32Array.of(2, 1, 0, 2), 1)) ?? [];
    expect(hits.map(({ docs }) => [...docs])).toEqual([[3], [], [4], [3]]);
    expect(hits.map(({ work }) => work.flops)).toEqual([20, 0, 20, 20]);
    expect(await exactIndex(encoding).searchBlock?.(new Int32Array(0), 1)).toEqual([]);
  });

  it('answers blocks that are asked at the same time', async () => {
    const dims = 8;
    const docs = vectorsOf(7, 300, dims, { kinds: ['normal'], copies: 1 });
    const queries = vectorsOf(8, 140, dims, { kinds: ['normal'], copies: 0 });
    const encoding: DenseEncoding = { kind: 'dense', dims, similarity: 'dot', docs, queries };
    for (const index of [exactIndex(encoding), exactIndex(encoding, { scoreBlocks: worstFloats })]) {
      const blocks = [queriesOf(encoding), queriesOf(encoding).reverse()];
      const answers = await Promise.all(blocks.map((block) => index.searchBlock?.(block, 4)));
      blocks.forEach((block, i) => {
        const naive = Array.from(block, (query) => naiveSearch(encoding, query, 4));
        expect(answers[i]?.map(plain)).toEqual(naive);
      });
    }
  });

  it.each([
    ['a document', Float32Array.of(1, Number.NaN, 1, 1, 1, 1, 1, 1), Float32Array.of(1, 1)],
    ['a query', Float32Array.of(1, 1, 1, 1, 1, 1, 1, 1), Float32Array.of(1, Number.NaN)],
  ])('refuses NaN in %s as a full scan does, and names its position', async (_, docs, queries) => {
    const index = exactIndex({ kind: 'dense', dims: 2, similarity: 'dot', docs, queries });
    expect(() => index.search(0, 1)).toThrow(/NaN for the document at position 0/);
    await expect(index.searchBlock?.(Int32Array.of(0), 1)).rejects.toThrow(/NaN for the document at position 0/);
  });

  it('orders infinite scores as numbers', () => {
    const docs = Float32Array.of(1, 2, Number.POSITIVE_INFINITY, 1, Number.NEGATIVE_INFINITY, 1, 5, 5);
    const encoding: DenseEncoding = { kind: 'dense', dims: 2, similarity: 'dot', docs, queries: Float32Array.of(1, 1) };
    expect(searched(exactIndex(encoding), 0, 1)).toMatchObject({ docs: [1], scores: [Number.POSITIVE_INFINITY] });
  });
});
