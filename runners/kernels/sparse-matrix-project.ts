import { type DenseRows, rowCount, type SparseMatrix, sparseProduct } from './sparse-matrix.js';

/** A row of unit length that keeps less than this lies outside the space: what is left is rounding, not direction. */
const leastLength = 1e-6;

/** Every sparse row times the projection, as float32 rows of `dims` columns; those beyond the projection's are zero. */
export function projectRows(matrix: SparseMatrix, projection: DenseRows, dims: number): Float32Array {
  const { data, stride } = sparseProduct(matrix, projection);
  const projected = new Float32Array(rowCount(matrix) * dims);
  for (let r = 0; r < rowCount(matrix); r++) {
    const row = data.subarray(r * stride, (r + 1) * stride);
    const squares = row.reduce((sum, value) => sum + value * value, 0);
    if (squares > leastLength * leastLength) projected.set(row, r * dims);
  }
  return projected;
}
