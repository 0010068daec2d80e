import type { SparseMatrix } from '../kernels/sparse-matrix.js';
import { termMatrices } from '../kernels/sparse-matrix-terms.js';
import { truncatedSvd } from '../kernels/svd.js';
import type { Conditions, Engine, SparseRows, Texts } from '../system.js';

/** As for `lsa`. */
const powerIterations = 1;
const oversampling = 10;

/** A row shorter than this is what rounding left: a term without a direction. */
const leastLength = 1e-9;

/** The terms of a collection as points: two are near if documents use them alike. */
export interface TermSpace {
  /** tf-idf rows; entries stand in the order in which a text first uses them. */
  readonly docs: SparseMatrix;
  readonly queries: SparseMatrix;
  readonly dims: number;
  /** One row per term, of unit length or zero; dimensions beyond the rank are zero. */
  readonly vectors: Float32Array;
  readonly conditions: Conditions;
}

/** Entries of each row. */
export function rowLengths({ offsets }: Pick<SparseRows, 'offsets'>): readonly number[] {
  return Array.from(offsets.subarray(1), (end, row) => end - offsets[row]);
}

/** The rows of V·Σ of the documents' tf-idf matrix (Deerwester et al. 1990), scaled to unit length. */
export function termSpace(texts: Texts, dims: number, engine: Engine): TermSpace {
  const { docs, queries } = termMatrices(texts, engine.analyzer);
  const { right, singular } = truncatedSvd(docs, { rank: dims, oversampling, powerIterations, seed: engine.seed });
  const rank = right.stride;
  const vectors = new Float32Array(docs.columns * dims);
  for (let term = 0; term < docs.columns; term++) {
    const row = right.data.subarray(term * rank, (term + 1) * rank).map((value, j) => value * singular[j]);
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
    if (length > leastLength)
      vectors.set(
        row.map((value) => value / length),
        term * dims,
      );
  }
  const conditions = {
    analyzer: engine.analyzer.id,
    analyzerVersion: engine.analyzer.version,
    'lsa.weighting': '(1 + ln tf) · ln((N + 1) / df), rows of unit length',
    'lsa.terms': docs.columns,
    'lsa.dims': dims,
    'lsa.rank': rank,
    'lsa.svd': `randomized, oversampling ${oversampling}, power iterations ${powerIterations}, seed ${engine.seed}`,
  };
  return { docs, queries, dims, vectors, conditions };
}
