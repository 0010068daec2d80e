import { addProduct, type DenseRows } from './sparse-matrix.js';

/** Rows that go to the kernel together. */
const blockRows = 256;
/** Rows of a symmetric product that are computed as one, from the diagonal on. */
const bandRows = 64;

/** left · right, 2·n·l·k flops. */
export function product(left: DenseRows, right: DenseRows): DenseRows {
  const inner = left.stride;
  const { stride } = right;
  const rows = rowsOf(left);
  const out = { data: new Float64Array(rows * stride), stride };
  const full = fullRows(Math.min(rows, blockRows), inner);
  for (let start = 0; start < rows; start += blockRows) {
    const count = Math.min(blockRows, rows - start);
    const block = full(count, left.data.subarray(start * inner, (start + count) * inner));
    addProduct({ ...out, from: start * stride, rows: count }, block, { ...right, from: 0, rows: inner }, stride);
  }
  return out;
}

/** leftᵀ · right of two matrices of one shape whose product is symmetric: half the flops, n·l². */
export function symmetricProduct(left: DenseRows, right: DenseRows): DenseRows {
  const { stride } = left;
  const rows = rowsOf(left);
  const out = { data: new Float64Array(stride * stride), stride };
  for (let start = 0; start < rows; start += blockRows) {
    const count = Math.min(blockRows, rows - start);
    const turned = turnedBlock(left, start, count);
    const full = fullRows(bandRows, count);
    for (let band = 0; band < stride; band += bandRows) {
      const height = Math.min(bandRows, stride - band);
      const block = full(height, turned.subarray(band * count, (band + height) * count));
      const factor = { ...right, from: start * stride + band, rows: count };
      addProduct({ ...out, from: band * stride + band, rows: height }, block, factor, stride - band);
    }
  }
  mirror(out);
  return out;
}

function turnedBlock({ data, stride }: DenseRows, start: number, count: number): Float64Array {
  const turned = new Float64Array(stride * count);
  for (let r = 0; r < count; r++) {
    const row = (start + r) * stride;
    for (let c = 0; c < stride; c++) turned[c * count + r] = data[row + c];
  }
  return turned;
}

function mirror({ data, stride }: DenseRows): void {
  for (let i = 1; i < stride; i++) {
    for (let j = 0; j < i; j++) data[i * stride + j] = data[j * stride + i];
  }
}

/** A dense block in the clothes of a sparse one that holds every column, so that one kernel serves both. */
function fullRows(most: number, width: number) {
  const offsets = new Int32Array(most + 1).map((_, r) => r * width);
  const terms = new Int32Array(most * width).map((_, i) => i % width);
  return (count: number, weights: Float64Array) => ({
    offsets: offsets.subarray(0, count + 1),
    terms: terms.subarray(0, count * width),
    weights,
  });
}

function rowsOf({ data, stride }: DenseRows): number {
  return stride === 0 ? 0 : data.length / stride;
}
