import { byteDotModule, floatDotModule } from './dot-kernel.js';
import { addressableBytes, instanceOf, layout, memoryOf } from './wasm-memory.js';

type Rows = Float32Array | Uint8Array;

/** A linear function of a row: offset + Σ weights[j] · row[j]. */
export interface Linear {
  readonly weights: Float64Array;
  readonly offset: number;
}

/** Writes to scores[doc] the value of a linear function of row `doc`. */
export type RowDots = (query: Linear, docs: Int32Array, scores: Float64Array) => void;

/**
 * Dot products with the rows of a row-major matrix, in float64: the sum over even dimensions plus the sum over odd ones,
 * each from the first to the last. A score never depends on which other rows are asked for. The rows are copied into
 * the memory of a WebAssembly kernel; what does not fit its 4 GiB goes through a plain loop that sums alike.
 */
export function rowDots(rows: Rows, dims: number): RowDots {
  const count = rows.length / dims;
  const padded = Math.ceil(dims / 4) * 4;
  const lengths = [8 * padded, 4 * (count + 3), 8 * (count + 3), rows.BYTES_PER_ELEMENT * padded * count];
  return layout(lengths).size > addressableBytes ? plainDots(rows, dims) : kernelDots(rows, dims, lengths);
}

function kernelDots(rows: Rows, dims: number, lengths: readonly number[]): RowDots {
  const padded = Math.ceil(dims / 4) * 4;
  const rowBytes = rows.BYTES_PER_ELEMENT * padded;
  const kernel = instanceOf(rows instanceof Float32Array ? floatDotModule : byteDotModule);
  const { starts, size } = layout(lengths);
  const [queryAt, docsAt, scoresAt, rowsAt] = starts;
  const buffer = memoryOf(kernel, size);
  place(rows, dims, padded, new Uint8Array(buffer, rowsAt));
  const queryHere = new Float64Array(buffer, queryAt, padded);
  const docsHere = new Int32Array(buffer, docsAt, rows.length / dims + 3);
  const scoresHere = new Float64Array(buffer, scoresAt, docsHere.length);
  return ({ weights, offset }, docs, scores) => {
    if (docs.length === 0) return;
    queryHere.set(weights);
    docsHere.set(docs);
    // The kernel takes four rows at a time: the last row fills the places that are left.
    docsHere.fill(docs[docs.length - 1], docs.length, docs.length + 3);
    kernel.run(queryAt, 8 * padded, rowsAt, rowBytes, docsAt, Math.ceil(docs.length / 4) * 4, scoresAt);
    for (let i = 0; i < docs.length; i++) scores[docs[i]] = offset + scoresHere[i];
  };
}

function place(rows: Rows, dims: number, padded: number, memory: Uint8Array): void {
  const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
  const [from, to] = [dims * rows.BYTES_PER_ELEMENT, padded * rows.BYTES_PER_ELEMENT];
  if (from === to) memory.set(bytes);
  else for (let r = 0; r * from < bytes.length; r++) memory.set(bytes.subarray(r * from, (r + 1) * from), r * to);
}

/** The same sums in plain JavaScript: the oracle of the kernel, and the way of matrices beyond its memory. */
export function plainDots(rows: Rows, dims: number): RowDots {
  return ({ weights, offset }, docs, scores) => {
    for (const doc of docs) {
      const sums = [0, 0];
      for (let j = 0; j < dims; j++) sums[j & 1] += weights[j] * rows[doc * dims + j];
      scores[doc] = offset + (sums[0] + sums[1]);
    }
  };
}
