import type { DenseRows } from './sparse-matrix.js';
import { product, symmetricProduct } from './svd-dense.js';
import { symmetricEigen } from './svd-eigen.js';

/** Eigenvalues in descending order; column j of `vectors` belongs to value j. */
export interface EigenColumns {
  readonly values: Float64Array;
  readonly vectors: DenseRows;
}

/** Share of a column's square that must be new for Cholesky to be trusted: at less, more than 6 of 16 digits go. */
const leastNew = 1e-6;

/**
 * An orthonormal basis of the columns, by Cholesky of their Gram matrix (3·n·l² flops). Columns that nearly depend on
 * each other go through eigenvectors first, which leaves out what is rounding noise, so there may be fewer columns.
 */
export function orthonormalBasis(columns: DenseRows): DenseRows {
  const gram = symmetricProduct(columns, columns);
  const inverse = inverseOfCholesky(gram);
  if (inverse !== null) return product(columns, inverse);
  const { values, vectors } = eigenOf(gram);
  const { data, stride } = vectors;
  for (let i = 0; i < data.length; i++) data[i] /= Math.sqrt(values[i % stride]);
  const rough = product(columns, vectors);
  const again = inverseOfCholesky(symmetricProduct(rough, rough));
  return again === null ? rough : product(rough, again);
}

/** Eigenvectors of a small symmetric matrix; those whose value is rounding noise are left out. */
export function eigenOf(symmetric: DenseRows): EigenColumns {
  const size = symmetric.stride;
  const { values, vectors } = symmetricEigen(symmetric);
  const floor = size === 0 ? 0 : Math.max(0, values[0]) * size * Number.EPSILON;
  const kept = values.filter((value) => value > floor);
  const stride = kept.length;
  const data = new Float64Array(size * stride);
  for (let j = 0; j < stride; j++) {
    for (let i = 0; i < size; i++) data[i * stride + j] = vectors.data[j * size + i];
  }
  return { values: kept, vectors: { data, stride } };
}

/** R⁻¹ where RᵀR is the given matrix, R an upper triangle; null where a column nearly depends on earlier ones. */
function inverseOfCholesky(gram: DenseRows): DenseRows | null {
  const upper = cholesky(gram);
  return upper === null ? null : inverseOfUpper(upper);
}

function cholesky({ data: gram, stride: size }: DenseRows): DenseRows | null {
  const rest = gram.slice();
  for (let p = 0; p < size; p++) {
    const pivot = rest[p * size + p];
    if (!(pivot > leastNew * gram[p * size + p])) return null;
    const scale = 1 / Math.sqrt(pivot);
    for (let j = p; j < size; j++) rest[p * size + j] *= scale;
    for (let i = p + 1; i < size; i++) {
      const factor = rest[p * size + i];
      for (let j = i; j < size; j++) rest[i * size + j] -= factor * rest[p * size + j];
    }
  }
  return { data: rest, stride: size };
}

/** Row by row from the last: row i of R⁻¹ is (eᵢ − Σ R[i][p] · row p) / R[i][i]. The lower triangle stays zero. */
function inverseOfUpper({ data: upper, stride: size }: DenseRows): DenseRows {
  const data = new Float64Array(size * size);
  for (let i = size - 1; i >= 0; i--) {
    const scale = 1 / upper[i * size + i];
    for (let p = i + 1; p < size; p++) {
      const factor = upper[i * size + p];
      for (let j = p; j < size; j++) data[i * size + j] -= factor * data[p * size + j];
    }
    for (let j = i + 1; j < size; j++) data[i * size + j] *= scale;
    data[i * size + i] = scale;
  }
  return { data, stride: size };
}
