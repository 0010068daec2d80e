import { mulberry32 } from '../../core/random.js';
import {
  addProduct,
  type DenseRows,
  panelWidth,
  rowCount,
  type SparseMatrix,
  sparseProduct,
  transpose,
} from './sparse-matrix.js';
import { eigenOf, orthonormalBasis } from './svd-basis.js';
import { product, symmetricProduct } from './svd-dense.js';
import { identity } from './svd-eigen.js';

export interface SvdOptions {
  /** Singular triplets wanted; there are fewer where the matrix has less rank. */
  readonly rank: number;
  /** Extra directions that are searched and dropped again: they make the last wanted ones right. */
  readonly oversampling: number;
  /** At least 1: times that the start goes through A·Aᵀ and is made orthonormal. Rayleigh-Ritz adds one more. */
  readonly powerIterations: number;
  readonly seed: number;
}

/** A ≈ U · diag(singular) · Vᵀ; the singular values descend, and U and V have a column for each. */
export interface TruncatedSvd {
  readonly singular: Float64Array;
  /** One row per row of A. */
  readonly left: DenseRows;
  /** One row per column of A. */
  readonly right: DenseRows;
}

/**
 * The largest singular triplets of a sparse matrix by randomized subspace iteration (Halko, Martinsson, Tropp 2011,
 * algorithms 4.4 and 5.1), where only the row side is made orthonormal and everything dense is at most rows × l with
 * l = rank + oversampling. With rows ≤ l it is exact. Signs: the largest entry of each left vector is positive.
 * Cost: (powerIterations + 1)·(4·nonzeros·l + 3·rows·l²) flops, and about 10·l³.
 */
export function truncatedSvd(matrix: SparseMatrix, options: SvdOptions): TruncatedSvd {
  const turned = transpose(matrix);
  const basis = startingBasis(matrix, turned, options);
  const ritz = eigenOf(symmetricProduct(basis, throughGram(matrix, turned, basis)));
  const rank = Math.min(options.rank, ritz.values.length);
  const left = product(basis, firstColumns(ritz.vectors, rank));
  fixSigns(left);
  const singular = ritz.values.slice(0, rank).map(Math.sqrt);
  const right = sparseProduct(turned, left);
  for (let i = 0; i < right.data.length; i++) right.data[i] /= singular[i % rank];
  return { singular, left, right };
}

function startingBasis(matrix: SparseMatrix, turned: SparseMatrix, options: SvdOptions): DenseRows {
  const rows = rowCount(matrix);
  const width = Math.min(rows, matrix.columns, options.rank + options.oversampling);
  if (width === rows) return identity(rows);
  const uniform = mulberry32(options.seed);
  // Any independent entries around zero find the space as well as normal ones do, and these are ten times as fast.
  let basis: DenseRows = { data: new Float64Array(rows * width).map(() => uniform() - 0.5), stride: width };
  for (let i = 0; i < options.powerIterations; i++) basis = orthonormalBasis(throughGram(matrix, turned, basis));
  return basis;
}

/** A · (Aᵀ · basis), panel by panel, so that Aᵀ · basis (columns of A × l) never stands in memory as a whole. */
function throughGram(matrix: SparseMatrix, turned: SparseMatrix, basis: DenseRows): DenseRows {
  const { stride } = basis;
  const rows = rowCount(matrix);
  const out = { data: new Float64Array(basis.data.length), stride };
  for (let from = 0; from < stride; from += panelWidth) {
    const width = Math.min(panelWidth, stride - from);
    const inner = { data: new Float64Array(matrix.columns * width), from: 0, stride: width, rows: matrix.columns };
    addProduct(inner, turned.rows, { ...basis, from, rows }, width);
    addProduct({ ...out, from, rows }, matrix.rows, inner, width);
  }
  return out;
}

function firstColumns({ data, stride }: DenseRows, count: number): DenseRows {
  const kept = new Float64Array(count === 0 ? 0 : (data.length / stride) * count);
  for (let i = 0; i < kept.length; i++) kept[i] = data[Math.floor(i / count) * stride + (i % count)];
  return { data: kept, stride: count };
}

/** A singular vector and its negative are equally right: the largest entry, the first of equals, becomes positive. */
function fixSigns({ data, stride }: DenseRows): void {
  for (let c = 0; c < stride; c++) {
    let largest = 0;
    for (let i = c; i < data.length; i += stride) if (Math.abs(data[i]) > Math.abs(largest)) largest = data[i];
    if (largest >= 0) continue;
    for (let i = c; i < data.length; i += stride) data[i] = -data[i];
  }
}
