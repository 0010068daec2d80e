import fc from 'fast-check';
import { Matrix, SVD } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { gaussians, mulberry32 } from '../../core/random.js';
import { addProduct, type SparseMatrix, sparseProduct, transpose } from '../../runners/kernels/sparse-matrix.js';
import { type TruncatedSvd, truncatedSvd } from '../../runners/kernels/svd.js';
import { orthonormalBasis } from '../../runners/kernels/svd-basis.js';
import { product, symmetricProduct } from '../../runners/kernels/svd-dense.js';
import { identity, symmetricEigen } from '../../runners/kernels/svd-eigen.js';

const options = { rank: 5, oversampling: 10, powerIterations: 4, seed: 17 };

function sparseOf(matrix: Matrix): SparseMatrix {
  const offsets = [0];
  const terms: number[] = [];
  const weights: number[] = [];
  for (const row of matrix.to2DArray()) {
    row.forEach((value, column) => {
      if (value !== 0) terms.push(column);
      if (value !== 0) weights.push(value);
    });
    offsets.push(terms.length);
  }
  const rows = {
    offsets: Int32Array.from(offsets),
    terms: Int32Array.from(terms),
    weights: Float64Array.from(weights),
  };
  return { rows, columns: matrix.columns };
}

function randomMatrix(rows: number, columns: number, seed: number): Matrix {
  const normal = gaussians(mulberry32(seed));
  return new Matrix(Array.from({ length: rows }, () => Array.from({ length: columns }, normal)));
}

const denseRows = (matrix: Matrix) => ({ data: Float64Array.from(matrix.to1DArray()), stride: matrix.columns });
const matrixOf = ({ data, stride }: { readonly data: Float64Array; readonly stride: number }) =>
  Matrix.from1DArray(data.length / stride, stride, data);
const distance = (a: Matrix, b: Matrix) => Math.max(...Matrix.sub(a, b).to1DArray().map(Math.abs));

/** Singular values 1, ½, ¼ … over random directions. */
function wellSeparated(rows: number, columns: number): Matrix {
  const rank = Math.min(rows, columns, 20);
  const left = new SVD(randomMatrix(rows, rank, 1)).leftSingularVectors;
  const right = new SVD(randomMatrix(columns, rank, 2)).leftSingularVectors;
  return left.mmul(Matrix.diag(Array.from({ length: rank }, (_, i) => 2 ** -i))).mmul(right.transpose());
}

/** U·Σ·Vᵀ: the same whatever the signs. */
const rebuilt = ({ left, singular, right }: TruncatedSvd) =>
  matrixOf(left)
    .mmul(Matrix.diag([...singular]))
    .mmul(matrixOf(right).transpose());

function bestApproximation(matrix: Matrix, rank: number): Matrix {
  const exact = new SVD(matrix, { autoTranspose: true });
  const first = (vectors: Matrix) => vectors.subMatrix(0, vectors.rows - 1, 0, rank - 1);
  return first(exact.leftSingularVectors)
    .mmul(Matrix.diag(exact.diagonal.slice(0, rank)))
    .mmul(first(exact.rightSingularVectors).transpose());
}

describe('dense and sparse kernels', () => {
  it.each([
    [1, 1],
    [7, 3],
    [65, 9],
    [130, 70],
  ])('agree with ml-matrix for %i × %i', (rows, columns) => {
    const a = randomMatrix(rows, columns, 3);
    const square = randomMatrix(columns, columns, 4);
    const gram = a.transpose().mmul(a);
    expect(distance(matrixOf(symmetricProduct(denseRows(a), denseRows(a))), gram)).toBeLessThan(1e-10);
    expect(distance(matrixOf(product(denseRows(a), denseRows(square))), a.mmul(square))).toBeLessThan(1e-10);
    expect(distance(matrixOf(sparseProduct(sparseOf(a), denseRows(square))), a.mmul(square))).toBeLessThan(1e-10);
    expect(transpose(transpose(sparseOf(a)))).toEqual(sparseOf(a));
    expect(transpose(sparseOf(a))).toEqual(sparseOf(a.transpose()));
  });

  it('multiplies tiles as a plain loop does, to the last bit, and touches nothing outside them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 12 }), fc.nat(), (width, terms, seed) => {
        const uniform = mulberry32(seed);
        const numbers = (count: number) => Float64Array.from({ length: count }, () => uniform() - 0.5);
        const { rows } = sparseOf(
          new Matrix(
            Array.from({ length: 5 }, () => Array.from({ length: terms }, () => Math.max(0, uniform() - 0.4))),
          ),
        );
        const out = { data: numbers(5 * (width + 3)), from: 2, stride: width + 3, rows: 5 };
        const factor = { data: numbers(terms * (width + 1) + 1), from: 1, stride: width + 1, rows: terms };
        const naive = out.data.slice();
        for (let r = 0; r < 5; r++) {
          for (let i = rows.offsets[r]; i < rows.offsets[r + 1]; i++) {
            const source = factor.from + rows.terms[i] * factor.stride;
            for (let j = 0; j < width; j++) naive[2 + r * out.stride + j] += rows.weights[i] * factor.data[source + j];
          }
        }
        addProduct(out, rows, factor, width);
        expect(out.data).toEqual(naive);
      }),
    );
  });

  it('finds an orthonormal basis of columns that depend on each other', () => {
    const thin = randomMatrix(60, 6, 5);
    const dependent = thin.mmul(randomMatrix(6, 12, 6));
    const basis = matrixOf(orthonormalBasis(denseRows(dependent)));
    expect(basis.columns).toBe(6);
    expect(distance(basis.transpose().mmul(basis), Matrix.eye(6))).toBeLessThan(1e-12);
    expect(distance(basis.mmul(basis.transpose()).mmul(thin), thin)).toBeLessThan(1e-9);
  });
});

describe('eigenvalues of a symmetric matrix', () => {
  const check = (matrix: Matrix) => {
    const { values, vectors } = symmetricEigen(denseRows(matrix));
    const scale = Math.max(1, ...matrix.to1DArray().map(Math.abs)) * matrix.rows;
    for (let i = 1; i < values.length; i++) expect(values[i]).toBeLessThanOrEqual(values[i - 1]);
    const rows = matrixOf(vectors);
    expect(distance(rows.mmul(rows.transpose()), Matrix.eye(matrix.rows))).toBeLessThan(1e-12);
    const again = rows
      .transpose()
      .mmul(Matrix.diag([...values]))
      .mmul(rows);
    expect(distance(again, matrix)).toBeLessThan(1e-13 * scale);
  };

  it.each([1, 2, 3, 4, 17, 90])(
    'are orthonormal and rebuild a matrix of %i rows, of full rank and of rank 1',
    (size) => {
      const a = randomMatrix(size, size, 11);
      check(Matrix.add(a, a.transpose()));
      check(a.mmul(a.transpose()));
      const column = randomMatrix(size, 1, 12);
      check(column.mmul(column.transpose()));
    },
  );

  it.each([
    ['zero', Matrix.zeros(5, 5)],
    ['the identity', Matrix.eye(5)],
    ['diagonal', Matrix.diag([3, -1, 0, 3, 2])],
    [
      'in blocks',
      new Matrix([
        [2, 1, 0, 0],
        [1, 2, 0, 0],
        [0, 0, 0, 5],
        [0, 0, 5, 0],
      ]),
    ],
    [
      'widely graded',
      new Matrix([
        [1e12, 1e6, 1],
        [1e6, 1, 1e-6],
        [1, 1e-6, 1e-12],
      ]),
    ],
  ])('are orthonormal and rebuild one that is %s', (_, matrix) => {
    check(matrix);
  });

  it('end in an error where there are none, and are empty where there is nothing', () => {
    expect(() => symmetricEigen({ data: Float64Array.of(1, Number.NaN, Number.NaN, 1), stride: 2 })).toThrow(/NaN/);
    expect(symmetricEigen(identity(0)).values).toHaveLength(0);
  });
});

describe('truncated SVD', () => {
  it.each([
    [40, 60],
    [60, 40],
    [12, 50],
    [50, 12],
    [6, 6],
  ])('is the best approximation of %i × %i', (rows, columns) => {
    const matrix = wellSeparated(rows, columns);
    const found = truncatedSvd(sparseOf(matrix), options);
    expect(distance(rebuilt(found), bestApproximation(matrix, 5))).toBeLessThan(1e-6);
    found.singular.forEach((value, i) => {
      expect(value).toBeCloseTo(2 ** -i, 6);
    });
    const [left, right] = [matrixOf(found.left), matrixOf(found.right)];
    expect(distance(left.transpose().mmul(left), Matrix.eye(5))).toBeLessThan(1e-9);
    expect(distance(right.transpose().mmul(right), Matrix.eye(5))).toBeLessThan(1e-6);
  });

  it('gives all inner products of the documents where nothing is cut off', () => {
    const matrix = randomMatrix(30, 80, 7);
    const { left, singular } = truncatedSvd(sparseOf(matrix), { ...options, rank: 30 });
    const scaled = matrixOf(left).mmul(Matrix.diag([...singular]));
    expect(distance(scaled.mmul(scaled.transpose()), matrix.mmul(matrix.transpose()))).toBeLessThan(1e-6);
  });

  it('gives the same bits each time, and the largest entry of each left vector is positive', () => {
    const matrix = sparseOf(randomMatrix(50, 30, 8));
    const found = truncatedSvd(matrix, options);
    expect(truncatedSvd(matrix, options)).toEqual(found);
    for (let c = 0; c < 5; c++) {
      const column = [...found.left.data].filter((_, i) => i % 5 === c);
      expect(Math.max(...column)).toBe(Math.max(...column.map(Math.abs)));
    }
  });

  it('has as many triplets as the matrix has rank', () => {
    const low = randomMatrix(40, 3, 9).mmul(randomMatrix(3, 50, 10));
    expect(truncatedSvd(sparseOf(low), options).singular).toHaveLength(3);
    expect(truncatedSvd(sparseOf(Matrix.zeros(40, 50)), options).singular).toHaveLength(0);
    expect(truncatedSvd({ rows: sparseOf(Matrix.zeros(3, 1)).rows, columns: 0 }, options).singular).toHaveLength(0);
    expect(
      truncatedSvd(
        { rows: { offsets: Int32Array.of(0), terms: Int32Array.of(), weights: Float64Array.of() }, columns: 0 },
        options,
      ).singular,
    ).toHaveLength(0);
  });
});
