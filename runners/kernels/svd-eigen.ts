import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { TenbinError } from '../../core/errors.js';
import type { DenseRows } from './sparse-matrix.js';

/** Eigenvalues in descending order; row i of `vectors` is the unit vector of value i. */
export interface Eigen {
  readonly values: Float64Array;
  readonly vectors: DenseRows;
}

/** All eigenpairs of a symmetric matrix, by ml-matrix (Householder's tridiagonal form and QL steps): about 10·n³ flops. */
export function symmetricEigen({ data, stride: size }: DenseRows): Eigen {
  if (size === 0) return { values: new Float64Array(0), vectors: { data: new Float64Array(0), stride: 0 } };
  checkFinite(data);
  const matrix = Matrix.from1DArray(size, size, Array.from(data));
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(matrix, { assumeSymmetric: true });
  const order = Int32Array.from(realEigenvalues.keys()).sort(
    (a, b) => realEigenvalues[b] - realEigenvalues[a] || a - b,
  );
  const vectors = new Float64Array(size * size);
  order.forEach((from, to) => {
    vectors.set(eigenvectorMatrix.getColumn(from), to * size);
  });
  return {
    values: Float64Array.from(order, (from) => realEigenvalues[from]),
    vectors: { data: vectors, stride: size },
  };
}

export function identity(size: number): DenseRows {
  const data = new Float64Array(size * size);
  for (let i = 0; i < size; i++) data[i * size + i] = 1;
  return { data, stride: size };
}

function checkFinite(data: Float64Array): void {
  const bad = data.find((value) => !Number.isFinite(value));
  if (bad === undefined) return;
  throw new TenbinError('not-finite', {
    what: 'A matrix to decompose holds a number that is not finite',
    value: String(bad),
    fix: 'A text weighs infinitely much: look for a document of absurd length.',
  });
}
