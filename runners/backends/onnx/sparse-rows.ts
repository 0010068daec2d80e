import type { SparseTexts } from '../../open-model.js';

/** One text's terms, ascending, with a weight each. */
export interface SparseRow {
  readonly terms: Int32Array;
  readonly weights: Float32Array;
}

/** Rows one after the other, as compressed sparse rows. */
export function sparseTexts(rows: readonly SparseRow[], termCount: number): SparseTexts {
  const offsets = new Int32Array(rows.length + 1);
  rows.forEach((row, r) => {
    offsets[r + 1] = offsets[r] + row.terms.length;
  });
  const terms = new Int32Array(offsets[rows.length]);
  const weights = new Float32Array(offsets[rows.length]);
  rows.forEach((row, r) => {
    terms.set(row.terms, offsets[r]);
    weights.set(row.weights, offsets[r]);
  });
  return { kind: 'sparse', termCount, offsets, terms, weights };
}
