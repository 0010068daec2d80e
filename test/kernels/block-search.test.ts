import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestSoFar } from '../../runners/kernels/best-so-far.js';
import { exactSearchOverBlocks, type VectorBlock } from '../../runners/kernels/block-search.js';
import { exactIndex } from '../../runners/kernels/dense-index.js';
import type { ScoreBlocks } from '../../runners/kernels/float-pass.js';
import { unitLength } from '../../runners/kernels/unit-length.js';
import type { DenseEncoding, Hits } from '../../runners/system.js';
import { corpora, naiveDot, plain, vectorsOf } from './vectors.js';

const floats: ScoreBlocks = async (queries, rows, dims) => {
  const rowCount = rows.length / dims;
  return Float32Array.from({ length: (queries.length / dims) * rowCount }, (_, at) =>
    naiveDot(queries, Math.floor(at / rowCount) * dims, rows, (at % rowCount) * dims, dims),
  );
};

/** Blocks of so many documents, the last of them shorter; counts how often they are read. */
function blocksOf({ dims, docs }: DenseEncoding, size: number, order: 'ascending' | 'descending' = 'ascending') {
  const starts = Array.from({ length: Math.ceil(docs.length / dims / size) }, (_, i) => i * size);
  const reads = { count: 0 };
  async function* blocks(): AsyncGenerator<VectorBlock> {
    reads.count++;
    for (const start of order === 'ascending' ? starts : starts.reverse()) {
      yield { start, rows: docs.slice(start * dims, (start + size) * dims) };
    }
  }
  return { blocks, reads };
}

function inMemory(encoding: DenseEncoding, k: number) {
  const { dims, similarity, docs, queries } = encoding;
  const whole =
    similarity === 'dot' ? encoding : { ...encoding, docs: unitLength(docs, dims), queries: unitLength(queries, dims) };
  const index = exactIndex(whole, { arithmetic: 'scalar' });
  return Array.from({ length: queries.length / dims }, (_, query) => plain(index.search(query, k) as Hits));
}

describe('exact search over blocks', () => {
  it('finds what the whole corpus in memory gives, to the last bit, and reads it once', async () => {
    const asked = fc.record({
      corpus: corpora,
      size: fc.integer({ min: 1, max: 70 }),
      similarity: fc.constantFrom('dot' as const, 'cosine' as const),
      order: fc.constantFrom('ascending' as const, 'descending' as const),
      ways: fc.constantFrom({}, { arithmetic: 'scalar' as const }, { scoreBlocks: floats }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ corpus: { encoding, k }, size, similarity, order, ways }) => {
        const { blocks, reads } = blocksOf(encoding, size, order);
        const { dims, queries } = encoding;
        const hits = await exactSearchOverBlocks({ dims, similarity, queries, blocks, k, ...ways });
        expect(hits.map(plain)).toEqual(inMemory({ ...encoding, similarity }, k));
        expect(reads.count).toBe(1);
      }),
      { numRuns: 200 },
    );
  });

  it('does so for 70 queries and blocks of several hundred documents with ties across them', async () => {
    const dims = 12;
    const docs = vectorsOf(1, 1500, dims, { kinds: ['normal', 'spiked'], copies: 5 });
    const queries = vectorsOf(2, 70, dims, { kinds: ['normal', 'zero'], copies: 0 });
    const encoding: DenseEncoding = { kind: 'dense', dims, similarity: 'cosine', docs, queries };
    const { blocks } = blocksOf(encoding, 400);
    const hits = await exactSearchOverBlocks({ dims, similarity: 'cosine', queries, blocks, k: 10 });
    expect(hits.map(plain)).toEqual(inMemory(encoding, 10));
  });

  it('finds nothing without documents', async () => {
    const { blocks } = blocksOf(
      { kind: 'dense', dims: 2, similarity: 'dot', docs: new Float32Array(0), queries: new Float32Array(0) },
      5,
    );
    const hits = await exactSearchOverBlocks({
      dims: 2,
      similarity: 'dot',
      queries: Float32Array.of(1, 1),
      blocks,
      k: 3,
    });
    expect(hits.map(plain)).toEqual([{ docs: [], scores: [], work: { flops: 0 } }]);
  });

  it('refuses half rows, and NaN by its position in the corpus', async () => {
    const search = (rows: Float32Array) =>
      exactSearchOverBlocks({
        dims: 2,
        similarity: 'dot',
        queries: Float32Array.of(1, 1),
        k: 1,
        async *blocks() {
          yield { start: 0, rows: Float32Array.of(1, 1) };
          yield { start: 40, rows };
        },
      });
    await expect(search(Float32Array.of(1, 2, 3))).rejects.toThrow(/3 numbers of 2 dimensions from document 40 on/);
    await expect(search(Float32Array.of(1, 2, Number.NaN, 3))).rejects.toThrow(/NaN for the document at position 41/);
  });
});

describe('the best so far', () => {
  it('is the best of all, however they come in', () => {
    const portions = fc.array(fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 8 }), { maxLength: 8 });
    fc.assert(
      fc.property(portions, fc.integer({ min: 0, max: 9 }), (scores, k) => {
        const best = bestSoFar(k);
        let next = 0;
        for (const portion of scores) {
          const docs = Int32Array.from(portion, () => next++);
          best.add({ docs, scores: Float64Array.from(portion) });
        }
        const all = scores.flat().map((score, doc) => ({ score, doc }));
        const ranked = all.sort((a, b) => b.score - a.score || a.doc - b.doc);
        const kept = ranked.filter(({ score }, i) => k > 0 && (i < k || score === ranked[k - 1].score));
        expect([...best.sorted().docs]).toEqual(kept.map(({ doc }) => doc));
        expect(best.floor()).toBe(k > 0 && ranked.length >= k ? ranked[k - 1].score : -Infinity);
      }),
    );
  });
});
