import type { SparseRows } from '../system.js';
import { sparseProductModule } from './sparse-matrix-kernel.js';
import { transposed } from './sparse-rows.js';
import { instanceOf, layout, memoryOf } from './wasm-memory.js';

/** Compressed sparse rows and how many columns they have. */
export interface SparseMatrix {
  readonly rows: SparseRows;
  readonly columns: number;
}

/** A dense matrix, row-major: row r is data[r * stride .. r * stride + stride). */
export interface DenseRows {
  readonly data: Float64Array;
  readonly stride: number;
}

export function rowCount(matrix: SparseMatrix): number {
  return matrix.rows.offsets.length - 1;
}

export function transpose({ rows, columns }: SparseMatrix): SparseMatrix {
  return { rows: transposed(rows, columns), columns: rows.offsets.length - 1 };
}

/** Columns that go through a sparse matrix together: few enough that the rows of the factor stay in the cache. */
export const panelWidth = 64;

/** matrix · factor: 2·nonzeros·columns flops. */
export function sparseProduct(matrix: SparseMatrix, factor: DenseRows): DenseRows {
  const { stride } = factor;
  const rows = rowCount(matrix);
  const out = { data: new Float64Array(rows * stride), stride };
  for (let from = 0; from < stride; from += panelWidth) {
    const width = Math.min(panelWidth, stride - from);
    addProduct({ ...out, from, rows }, matrix.rows, { ...factor, from, rows: matrix.columns }, width);
  }
  return out;
}

/** Part of a row-major matrix: row r is data[from + r * stride ..), as wide as the operation says. */
export interface Tile {
  readonly data: Float64Array;
  readonly from: number;
  readonly stride: number;
  readonly rows: number;
}

/**
 * out += matrix · factor over `width` columns, 2·nonzeros·width flops, each sum in the order of its row's terms. The
 * operands are copied to the kernel and back, which costs O(nonzeros + rows·width): little beside the work.
 */
export function addProduct(out: Tile, matrix: SparseRows, factor: Tile, width: number): void {
  const { buffer, starts } = placed([
    8 * out.rows * width,
    8 * factor.rows * width,
    matrix.offsets.byteLength,
    matrix.terms.byteLength,
    matrix.weights.byteLength,
  ]);
  const [outAt, factorAt, offsetsAt, termsAt, weightsAt] = starts;
  const packed = new Float64Array(buffer, outAt, out.rows * width);
  pack(packed, out, width);
  pack(new Float64Array(buffer, factorAt, factor.rows * width), factor, width);
  new Int32Array(buffer, offsetsAt, matrix.offsets.length).set(matrix.offsets);
  new Int32Array(buffer, termsAt, matrix.terms.length).set(matrix.terms);
  new Float64Array(buffer, weightsAt, matrix.weights.length).set(matrix.weights);
  kernel.run(outAt, 8 * width, width, out.rows, offsetsAt, termsAt, weightsAt, factorAt, 8 * width);
  unpack(packed, out, width);
}

function pack(packed: Float64Array, { data, from, stride, rows }: Tile, width: number): void {
  if (stride === width) packed.set(data.subarray(from, from + rows * width));
  else {
    for (let r = 0, to = 0; r < rows; r++) {
      for (let i = from + r * stride, end = i + width; i < end; i++) packed[to++] = data[i];
    }
  }
}

function unpack(packed: Float64Array, { data, from, stride, rows }: Tile, width: number): void {
  if (stride === width) data.set(packed, from);
  else {
    for (let r = 0, next = 0; r < rows; r++) {
      for (let i = from + r * stride, end = i + width; i < end; i++) data[i] = packed[next++];
    }
  }
}

const kernel = instanceOf(sparseProductModule);

/** Arrays laid end to end in the kernel's memory, which grows and is kept. */
function placed(byteLengths: readonly number[]): { readonly buffer: ArrayBuffer; readonly starts: readonly number[] } {
  const { starts, size } = layout(byteLengths);
  return { buffer: memoryOf(kernel, size), starts };
}
