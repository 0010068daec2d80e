import { type BlockValues, errorsOf, plainValues, type QuickPass } from './quick-pass.js';

/**
 * Dot products of all queries with all rows in float32, each sum in any order, fused or not: result[q · rows + r]. Both
 * sides are row-major, `dims` wide. A matrix library stands behind it; see runners/backends/gemm.
 */
export type ScoreBlocks = (queries: Float32Array, rows: Float32Array, dims: number) => Promise<Float32Array>;

/** Unit roundoff of float32. */
const roundoff = 2 ** -24;
/** Queries and rows that a matrix library takes at once: it packs its operands anew each time. */
const mostQueries = 256;
const blockRows = 4096;

export interface FloatPassSides {
  readonly dims: number;
  readonly docs: Float32Array;
  readonly queries: Float32Array;
}

/**
 * A quick look in float32. However n products are added, fl(Σ q_j·d_j) is off by at most γ_n · Σ|q_j·d_j| ≤ γ_n · |q|·|d|
 * with γ_n = n·u / (1 − n·u) and u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, §3.1; fused products
 * round less). It holds without overflow and underflow, so lengths are asked to lie between 2^-40 and 2^40 or to be
 * zero: then nothing comes near 2^128, and what underflows — flushed to zero or not, products and inputs alike — is at
 * most n·2^-126 + √n·2^-126 · (|q| + |d|), less than a 2^-20th of the bound. Twice γ covers that, the exact score's own
 * rounding (n·2^-53) and that of the comparisons with room to spare.
 */
export function floatPass(sides: FloatPassSides, scoreBlocks: ScoreBlocks): QuickPass<Promise<BlockValues>> | null {
  const { dims, docs, queries } = sides;
  const lengths = lengthsOf(docs, dims);
  if (dims * roundoff > 2 ** -4 || !lengths.every(inRange)) return null;
  const gamma = (dims * roundoff) / (1 - dims * roundoff);
  const rowCount = lengths.length;
  const blocks = Array.from({ length: Math.ceil(rowCount / blockRows) }, (_, i) => ({
    firstDoc: i * blockRows,
    count: Math.min(blockRows, rowCount - i * blockRows),
  }));
  const ask = (asked: Int32Array) => {
    const vectors = new Float32Array(asked.length * dims);
    asked.forEach((query, i) => {
      vectors.set(queries.subarray(query * dims, (query + 1) * dims), i * dims);
    });
    return {
      units: new Float64Array(asked.length).fill(1),
      slacks: lengthsOf(vectors, dims).map((length) => (inRange(length) ? 2 * gamma * length : Number.NaN)),
      blocks,
      valuesOf: async ({ firstDoc, count }: { readonly firstDoc: number; readonly count: number }) => {
        const rows = docs.subarray(firstDoc * dims, (firstDoc + count) * dims);
        return plainValues(await scoreBlocks(vectors, rows, dims), count);
      },
    };
  };
  return { errors: errorsOf(new Float64Array(rowCount).fill(1), lengths), mostQueries, ask };
}

const inRange = (length: number): boolean => length === 0 || (length >= 2 ** -40 && length <= 2 ** 40);

function lengthsOf(vectors: Float32Array, dims: number): Float64Array {
  const lengths = new Float64Array(vectors.length / dims);
  for (let row = 0, i = 0; row < lengths.length; row++) {
    let squares = 0;
    for (const end = i + dims; i < end; i++) squares += vectors[i] * vectors[i];
    lengths[row] = Math.sqrt(squares);
  }
  return lengths;
}
