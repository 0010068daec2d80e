import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactIndex } from '../../runners/kernels/dense-index.js';
import { plainDots, rowDots } from '../../runners/kernels/dot.js';
import { negatedHamming, signBits, wordsFor } from '../../runners/kernels/hamming.js';
import { hakariCodes, nearestCodes, rangesOf } from '../../runners/kernels/quantize.js';
import { unitLength } from '../../runners/kernels/unit-length.js';
import type { Hits } from '../../runners/system.js';

const value = fc.float({ noNaN: true, min: -4, max: 4, noDefaultInfinity: true });
/** A query, up to 13 documents, and dims 1 to 70, so that rows end inside and on a word and a block of four. */
const matrices = fc
  .record({ dims: fc.integer({ min: 1, max: 70 }), docCount: fc.integer({ min: 0, max: 13 }) })
  .chain(({ dims, docCount }) =>
    fc.record({
      dims: fc.constant(dims),
      docs: fc.array(value, { minLength: docCount * dims, maxLength: docCount * dims }),
      query: fc.array(value, { minLength: dims, maxLength: dims }),
    }),
  )
  .map(({ dims, docs, query }) => ({ dims, docs: new Float32Array(docs), query: new Float32Array(query) }));

const positions = (count: number) => Int32Array.from({ length: count }, (_, i) => i);
const rowOf = <T extends Float32Array | Uint8Array>(rows: T, dims: number, doc: number) =>
  [...rows].slice(doc * dims, (doc + 1) * dims);

/** Even and odd dimensions summed apart, each from first to last, in float64. */
const twoSums = (weights: Float64Array, row: readonly number[]) => {
  const part = (odd: number) => row.reduce((sum, x, j) => ((j & 1) === odd ? sum + weights[j] * x : sum), 0);
  return part(0) + part(1);
};

describe('dot products', () => {
  const offsets = fc.oneof(fc.constant(0), value);

  it('of float32 rows are the float64 sum in its stated order, to the last bit, for any neighbours', () => {
    fc.assert(
      fc.property(matrices, offsets, fc.nat(), ({ dims, docs, query }, offset, pick) => {
        const count = docs.length / dims;
        const linear = { weights: Float64Array.from(query), offset };
        const scores = new Float64Array(count);
        rowDots(docs, dims)(linear, positions(count), scores);
        expect([...scores]).toEqual(
          Array.from(scores, (_, doc) => offset + twoSums(linear.weights, rowOf(docs, dims, doc))),
        );
        if (count === 0) return;
        const alone = new Float64Array(count);
        rowDots(docs, dims)(linear, Int32Array.of(pick % count), alone);
        expect(alone[pick % count]).toBe(scores[pick % count]);
      }),
    );
  });

  it('of bytes likewise, and the plain loop gives the same bits', () => {
    fc.assert(
      fc.property(matrices, offsets, ({ dims, docs, query }, offset) => {
        const codes = Uint8Array.from(docs, (x) => Math.round((x + 4) * 31));
        const linear = { weights: Float64Array.from(query), offset };
        const [fast, plain] = [new Float64Array(docs.length / dims), new Float64Array(docs.length / dims)];
        rowDots(codes, dims)(linear, positions(fast.length), fast);
        plainDots(codes, dims)(linear, positions(plain.length), plain);
        expect([...fast]).toEqual(
          Array.from(fast, (_, doc) => offset + twoSums(linear.weights, rowOf(codes, dims, doc))),
        );
        expect(fast).toEqual(plain);
      }),
    );
  });

  it('are the same over several cachefuls of rows, in a row or here and there', () => {
    const dims = 1000;
    const rows = Float32Array.from({ length: 300 * dims }, (_, i) => Math.sin(i));
    const linear = { weights: Float64Array.from({ length: dims }, (_, j) => Math.cos(j)), offset: 0.5 };
    const here = Int32Array.of(299, ...Array.from({ length: 200 }, (_, i) => 7 + i), 3, 250, 2);
    for (const asked of [positions(300), here, new Int32Array(0)]) {
      const [fast, plain] = [new Float64Array(300), new Float64Array(300)];
      rowDots(rows, dims)(linear, asked, fast);
      plainDots(rows, dims)(linear, asked, plain);
      expect(fast).toEqual(plain);
      rowDots(rows, dims, 'scalar')(linear, asked, fast.fill(0));
      expect(fast).toEqual(plain);
    }
  });

  it('leave nothing behind for a matrix of another width', () => {
    const scoreOf = (dims: number, value: number) => {
      const scores = new Float64Array(5);
      const query = { weights: new Float64Array(dims).fill(1), offset: 0 };
      rowDots(new Float32Array(5 * dims).fill(value), dims)(query, positions(5), scores);
      return scores[4];
    };
    for (const dims of [7, 9, 2, 1, 3]) {
      expect(scoreOf(12, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
      expect(scoreOf(dims, 1)).toBe(dims);
    }
  });

  it('serve one query after another', () => {
    const dots = rowDots(Float32Array.of(1, 2, 3, 4, 5, 6), 3);
    for (const weights of [Float64Array.of(1, 0, 0), Float64Array.of(0, 0, 1), Float64Array.of(1, 1, 1)]) {
      const scores = new Float64Array(2);
      dots({ weights, offset: 0 }, Int32Array.of(1, 0), scores);
      expect([...scores]).toEqual([twoSums(weights, [1, 2, 3]), twoSums(weights, [4, 5, 6])]);
    }
  });
});

describe('quantization', () => {
  it('keeps every document value within half a step, and the ends exactly', () => {
    fc.assert(
      fc.property(matrices, ({ dims, docs }) => {
        const ranges = rangesOf({ dims, docs });
        const codes = nearestCodes(docs, ranges);
        docs.forEach((x, i) => {
          const step = ranges.step[i % dims];
          const restored = ranges.least[i % dims] + step * codes[i];
          expect(Math.abs(restored - x)).toBeLessThanOrEqual(step / 2 + 1e-6);
          if (x === ranges.least[i % dims]) expect(codes[i]).toBe(0);
        });
      }),
    );
  });

  it('clips what lies beyond the documents’ range', () => {
    const ranges = rangesOf({ dims: 1, docs: Float32Array.of(0, 1) });
    expect([...nearestCodes(Float32Array.of(-9, 0.25, 9), ranges)]).toEqual([0, 64, 255]);
  });

  it('gives HAKARI-Bench’s codes and scores (reference/hakari-bench.md §2.4)', () => {
    const docs = Float32Array.of(-1, 0.2, 0.5, 0, 0.2, -0.5, 1, 0.2, 0.1);
    const ranges = rangesOf({ dims: 3, docs });
    const codes = Int32Array.from(hakariCodes(docs, ranges), (code) => code - 128);
    const query = Int32Array.from(hakariCodes(Float32Array.of(0.5, 0.3, 2), ranges), (code) => code - 128);
    expect([...codes]).toEqual([-128, -128, 126, 0, -128, -128, 126, -128, 25]);
    expect([...query]).toEqual([63, -127, 127]);
    const scores = [0, 1, 2].map((doc) => query.reduce((sum, code, j) => sum + code * codes[doc * 3 + j], 0));
    expect(scores).toEqual([24194, 0, 27369]);
  });
});

describe('Hamming distance', () => {
  it('counts the signs that differ', () => {
    fc.assert(
      fc.property(matrices, ({ dims, docs, query }) => {
        const scores = new Float64Array(docs.length / dims);
        negatedHamming(signBits(query, dims), signBits(docs, dims), positions(scores.length), scores);
        const naive = Array.from(
          scores,
          (_, doc) => 0 - rowOf(docs, dims, doc).filter((x, j) => x > 0 !== query[j] > 0).length,
        );
        expect([...scores]).toEqual(naive);
      }),
    );
  });

  it('counts every bit of a word', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (a, b) => {
        const scores = new Float64Array(1);
        negatedHamming(Int32Array.of(a), Int32Array.of(b), Int32Array.of(0), scores);
        expect(-scores[0] + 0).toBe([...((a ^ b) >>> 0).toString(2)].filter((bit) => bit === '1').length);
      }),
    );
    expect([1, 32, 33].map(wordsFor)).toEqual([1, 1, 2]);
  });
});

describe('unit length', () => {
  it('scales to length 1 and leaves a zero row alone', () => {
    fc.assert(
      fc.property(matrices, ({ dims, docs }) => {
        const scaled = unitLength(docs, dims);
        for (let doc = 0; doc < docs.length / dims; doc++) {
          const length = Math.hypot(...rowOf(scaled, dims, doc));
          const zero = rowOf(docs, dims, doc).every((x) => x === 0);
          expect(Math.abs(length - (zero ? 0 : 1))).toBeLessThan(1e-5);
        }
      }),
    );
  });
});

describe('exact search', () => {
  const index = exactIndex({
    kind: 'dense',
    dims: 2,
    similarity: 'cosine',
    docs: Float32Array.of(1, 0, 0, 1, 1, 0, -1, 0, 0, 0),
    queries: Float32Array.of(1, 0, 0, 0),
  });
  const search = (query: number, k: number, among?: Int32Array) => index.search(query, k, among) as Hits;

  it('orders by score, then position, and keeps what is tied with the k-th', () => {
    expect([...search(0, 1).docs]).toEqual([0, 2]);
    expect([...search(0, 3).docs]).toEqual([0, 2, 1, 4]);
    expect([...search(0, 3).scores]).toEqual([1, 1, 0, 0]);
  });

  it('finds nothing with a zero query, and ties what it is asked about', () => {
    expect([...search(1, 1).docs]).toEqual([]);
    expect(search(1, 1).work).toEqual({ flops: 0 });
    const asked = search(1, 1, Int32Array.of(3, 1));
    expect([...asked.docs]).toEqual([1, 3]);
    expect([...asked.scores]).toEqual([0, 0]);
  });

  it('counts 2·dims flops for each document scored, and its bytes', () => {
    expect(search(0, 1).work).toEqual({ flops: 20 });
    expect(search(0, 1, Int32Array.of(3, 1)).work).toEqual({ flops: 8 });
    expect([index.bytes, index.bytesPerDoc]).toEqual([40, 8]);
  });
});
