import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytePass, codeWeights } from '../../runners/kernels/byte-pass.js';
import { type Linear, plainDot } from '../../runners/kernels/dot.js';
import { floatPass, type ScoreBlocks } from '../../runners/kernels/float-pass.js';
import { finestUnit, roundToGrid } from '../../runners/kernels/grid.js';
import { int16Pass } from '../../runners/kernels/int16-pass.js';
import { nearestCodes, rangesOf } from '../../runners/kernels/quantize.js';
import type { BlockValues, QuickPass, QuickQueries } from '../../runners/kernels/quick-pass.js';
import type { Awaitable, DenseEncoding } from '../../runners/system.js';
import { corpora, naiveDot, vectorsOf } from './vectors.js';

/** The bound as it is promised: every value is as near the score as its query and document say. */
async function expectBound(
  pass: QuickPass<Awaitable<BlockValues>>,
  queryCount: number,
  score: (query: number, doc: number) => number,
) {
  const { scale, spread } = pass.errors;
  for (let query = 0; query < queryCount; query++) {
    const asked: QuickQueries<Awaitable<BlockValues>> = pass.ask(Int32Array.of(query));
    const [unit, slack] = [asked.units[0], asked.slacks[0]];
    expect(Number.isFinite(slack)).toBe(true);
    for (const block of asked.blocks) {
      const { values } = await asked.valuesOf(block);
      for (let i = 0; i < block.count; i++) {
        const doc = block.firstDoc + i;
        const error = Math.abs(score(query, doc) - unit * scale[doc] * values[i]);
        // Only the rounding of this line is added to what is promised.
        expect(error).toBeLessThanOrEqual(unit * slack * spread[doc] * (1 + 1e-9) + 1e-300);
      }
    }
  }
}

const score =
  ({ dims, docs, queries }: DenseEncoding) =>
  (query: number, doc: number) =>
    naiveDot(queries, query * dims, docs, doc * dims, dims);

describe('the bound of 16-bit rows', () => {
  it('holds for cancelling, huge, tiny, denormal and spiked vectors', async () => {
    await fc.assert(
      fc.asyncProperty(corpora, async ({ encoding }) => {
        const pass = int16Pass(encoding);
        if (pass === null) throw new Error('40 dimensions are few');
        await expectBound(pass, encoding.queries.length / encoding.dims, score(encoding));
      }),
    );
  });

  it.each([1, 2, 3, 65_536])('sums of %i dimensions stay exact at full length, with both signs', async (dims) => {
    const row = (sign: number) => new Float32Array(dims).fill(sign);
    const spike = new Float32Array(dims);
    spike[dims - 1] = 1;
    const docs = new Float32Array(4 * dims);
    [row(1), row(-1), spike, row(0)].forEach((vector, i) => {
      docs.set(vector, i * dims);
    });
    const encoding: DenseEncoding = { kind: 'dense', dims, similarity: 'dot', docs, queries: docs.slice() };
    const pass = int16Pass(encoding);
    if (pass === null) throw new Error('65,536 dimensions are allowed');
    await expectBound(pass, 3, score(encoding));
  });

  it('holds in parts of the memory of several kernels', async () => {
    const dims = 3;
    const docs = vectorsOf(1, 1500, dims, { kinds: ['normal', 'mixed lengths'], copies: 0 });
    const queries = vectorsOf(2, 5, dims, { kinds: ['normal'], copies: 0 });
    const pass = int16Pass({ dims, docs, queries }, { partBytes: 1 });
    if (pass === null) throw new Error('3 dimensions are few');
    await expectBound(pass, 5, score({ kind: 'dense', dims, similarity: 'dot', docs, queries }));
  });

  it('is not there for more than 65,536 dimensions, and not finite where a vector is not', () => {
    const of = (docs: Float32Array, queries: Float32Array, dims: number) => int16Pass({ dims, docs, queries });
    expect(of(new Float32Array(65_537), new Float32Array(65_537), 65_537)).toBeNull();
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const [fine, broken] = [Float32Array.of(1, 2), Float32Array.of(1, bad)];
      expect(of(broken, fine, 2)?.ask(Int32Array.of(0)).slacks[0]).toBeNaN();
      expect(of(fine, broken, 2)?.ask(Int32Array.of(0)).slacks[0]).toBeNaN();
    }
  });

  it('comes from codes that are as near as they say, and never beyond 16 bits', () => {
    fc.assert(
      fc.property(corpora, ({ encoding: { dims, docs } }) => {
        for (let start = 0; start < docs.length; start += dims) {
          const codes = new Int16Array(dims);
          const { unit, length, residual } = roundToGrid(
            { vectors: docs, start, dims },
            finestUnit(docs, start, dims),
            { codes, at: 0 },
          );
          expect(Math.max(0, ...codes.map(Math.abs))).toBeLessThanOrEqual(32_767);
          expect(Math.hypot(...codes)).toBeCloseTo(length, 6);
          expect(length).toBeLessThanOrEqual(46_000 + Math.sqrt(dims) / 2 + 1e-6);
          if (unit === 0) continue;
          const rests = Array.from(codes, (code, j) => docs[start + j] / unit - code);
          expect(Math.hypot(...rests)).toBeLessThanOrEqual(residual);
        }
      }),
    );
  });
});

describe('the bound of byte rows', () => {
  const linearOf =
    ({ dims, queries }: DenseEncoding, { least, step }: { least: Float32Array; step: Float32Array }) =>
    (query: number): Linear => {
      const vector = [...queries.subarray(query * dims, (query + 1) * dims)];
      return {
        weights: Float64Array.from(vector, (x, j) => x * step[j]),
        offset: vector.reduce((sum, x, j) => sum + x * least[j], 0),
      };
    };

  it('holds for any weights and offset', async () => {
    await fc.assert(
      fc.asyncProperty(corpora, async ({ encoding }) => {
        const { dims, docs, queries } = encoding;
        const ranges = rangesOf(encoding);
        const codes = nearestCodes(docs, ranges);
        const linear = linearOf(encoding, ranges);
        const pass = bytePass({ dims, codes, linearOf: linear });
        if (pass === null) throw new Error('40 dimensions are few');
        const value = (query: number, doc: number) => plainDot(linear(query), codes, doc * dims) - linear(query).offset;
        await expectBound(pass, queries.length / dims, value);
      }),
    );
  });

  it('whole weights are their own codes', () => {
    const weights = Float64Array.of(-128, 127, 0, 5);
    expect(codeWeights({ weights, offset: 3 })).toMatchObject({ unit: 1, codes: Int16Array.of(-128, 127, 0, 5) });
    expect(codeWeights({ weights: Float64Array.of(0, 0), offset: 0 })).toMatchObject({ unit: 1 });
  });

  it('sums stay below 2^31 for many equal weights', () => {
    for (const weight of [1e-300, 0.3, 1, 32_767, 1e300]) {
      const { codes } = codeWeights({ weights: new Float64Array(65_536).fill(-weight), offset: 0 });
      expect(255 * codes.reduce((sum, code) => sum + Math.abs(code), 0)).toBeLessThan(2 ** 31);
    }
  });

  it('is not finite where weights are not, or too small for a unit', () => {
    for (const weight of [Number.NaN, Number.POSITIVE_INFINITY, 1e-308]) {
      expect(codeWeights({ weights: Float64Array.of(1e-308, weight), offset: 0 }).slack).toBeNaN();
    }
  });
});

describe('the bound of float32 sums', () => {
  /** Every product and every sum rounded to float32, in a given order. */
  const inOrder =
    (order: (dims: number) => readonly number[]): ScoreBlocks =>
    async (queries, rows, dims) => {
      const [queryCount, rowCount] = [queries.length / dims, rows.length / dims];
      const places = order(dims);
      return Float32Array.from({ length: queryCount * rowCount }, (_, at) => {
        const [q, r] = [Math.floor(at / rowCount), at % rowCount];
        return places.reduce((sum, j) => Math.fround(sum + Math.fround(queries[q * dims + j] * rows[r * dims + j])), 0);
      });
    };
  const forward = (dims: number) => Array.from({ length: dims }, (_, j) => j);

  it.each([
    ['first to last', inOrder(forward)],
    ['last to first', inOrder((dims) => forward(dims).reverse())],
  ])('holds for sums from %s', async (_, scoreBlocks) => {
    let bounded = 0;
    await fc.assert(
      fc.asyncProperty(corpora, async ({ encoding }) => {
        const pass = floatPass(encoding, scoreBlocks);
        if (pass === null) return;
        const { dims, queries } = encoding;
        const inRange = Array.from({ length: queries.length / dims }, (_, q) => q).filter((q) =>
          Number.isFinite(pass.ask(Int32Array.of(q)).slacks[0]),
        );
        bounded += inRange.length;
        const only = inRange.flatMap((q) => [...queries.subarray(q * dims, (q + 1) * dims)]);
        const smaller = { ...encoding, queries: Float32Array.from(only) };
        const again = floatPass(smaller, scoreBlocks);
        if (again !== null) await expectBound(again, inRange.length, score(smaller));
      }),
    );
    expect(bounded).toBeGreaterThan(20);
  });

  it('is not there beyond the lengths for which it is proven', () => {
    const pass = (docs: Float32Array) => floatPass({ dims: 1, docs, queries: docs }, inOrder(forward));
    for (const length of [2 ** -41, 2 ** 41, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(pass(Float32Array.of(1, length))).toBeNull();
      const sides = { dims: 1, docs: Float32Array.of(1), queries: Float32Array.of(length) };
      expect(floatPass(sides, inOrder(forward))?.ask(Int32Array.of(0)).slacks[0]).toBeNaN();
    }
    expect(pass(Float32Array.of(0, 2 ** -40, 2 ** 40))).not.toBeNull();
    const dims = 2 ** 20 + 1;
    expect(
      floatPass({ dims, docs: new Float32Array(dims), queries: new Float32Array(dims) }, inOrder(forward)),
    ).toBeNull();
  });
});
