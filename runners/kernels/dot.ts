import { byteDotModule, floatDotModule } from './dot-kernel.js';
import { type Arithmetic, arithmeticHere, instanceOf, type Kernel, layout, memoryOf } from './wasm-memory.js';

export type Rows = Float32Array | Uint8Array;

/** A linear function of a row: offset + Σ weights[j] · row[j]. */
export interface Linear {
  readonly weights: Float64Array;
  readonly offset: number;
}

/** Writes to scores[doc] the value of a linear function of row `doc`. */
export type RowDots = (query: Linear, docs: Int32Array, scores: Float64Array) => void;

/**
 * Dot products with the rows of a row-major matrix, in float64: the sum over even dimensions plus the sum over odd ones,
 * each from the first to the last. A score never depends on which other rows are asked for. The rows that are asked for
 * are copied, a cacheful at a time, into the memory of a WebAssembly kernel: a matrix may be of any size.
 */
export function rowDots(rows: Rows, dims: number, arithmetic: Arithmetic = arithmeticHere): RowDots {
  return arithmetic === 'simd' ? kernelDots(rows, dims) : plainDots(rows, dims);
}

/** What is copied at once: half of a usual second-level cache. */
const copiedBytes = 262_144;

/** One kernel for each kind of row serves all matrices: nothing is left in its memory from one call to the next. */
const kernels = new Map<Uint8Array, Kernel>();

function kernelFor(module: Uint8Array): Kernel {
  const known = kernels.get(module);
  if (known !== undefined) return known;
  const kernel = instanceOf(module);
  kernels.set(module, kernel);
  return kernel;
}

function kernelDots(rows: Rows, dims: number): RowDots {
  const padded = Math.ceil(dims / 4) * 4;
  const rowBytes = rows.BYTES_PER_ELEMENT * padded;
  const most = Math.max(1, Math.floor(copiedBytes / rowBytes / 4)) * 4;
  const { starts, size } = layout([8 * padded, 8 * most, rowBytes * most]);
  const [queryAt, scoresAt, rowsAt] = starts;
  return ({ weights, offset }, docs, scores) => {
    const kernel = kernelFor(rows instanceof Float32Array ? floatDotModule : byteDotModule);
    const buffer = memoryOf(kernel, size);
    const queryHere = new Float64Array(buffer, queryAt, padded);
    queryHere.fill(0, dims).set(weights);
    const scoresHere = new Float64Array(buffer, scoresAt, most);
    const bytesHere = new Uint8Array(buffer, rowsAt, rowBytes * most);
    for (let from = 0; from < docs.length; from += most) {
      const asked = docs.subarray(from, from + most);
      copyRows({ rows, dims, padded, docs: asked }, bytesHere);
      // The kernel takes four rows at a time: what earlier calls left behind fills the last places.
      kernel.run(queryAt, 8 * padded, rowsAt, rowBytes, Math.ceil(asked.length / 4) * 4, scoresAt);
      for (let i = 0; i < asked.length; i++) scores[asked[i]] = offset + scoresHere[i];
    }
  };
}

interface Copy {
  readonly rows: Rows;
  readonly dims: number;
  readonly padded: number;
  readonly docs: Int32Array;
}

function copyRows({ rows, dims, padded, docs }: Copy, target: Uint8Array): void {
  const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
  const [from, to] = [dims * rows.BYTES_PER_ELEMENT, padded * rows.BYTES_PER_ELEMENT];
  if (from === to && isRun(docs)) {
    target.set(bytes.subarray(docs[0] * from, (docs[0] + docs.length) * from));
    return;
  }
  for (let i = 0; i < docs.length; i++) {
    target.set(bytes.subarray(docs[i] * from, (docs[i] + 1) * from), i * to);
    if (from < to) target.fill(0, i * to + from, (i + 1) * to);
  }
}

/** Whether the rows lie one behind the other, as in a scan of all. */
function isRun(docs: Int32Array): boolean {
  for (let i = 1; i < docs.length; i++) if (docs[i] !== docs[0] + i) return false;
  return true;
}

/** The same sums in plain JavaScript: the oracle of the kernel, and the way where there are no vectors. */
export function plainDots(rows: Rows, dims: number): RowDots {
  return (query, docs, scores) => {
    for (const doc of docs) scores[doc] = plainDot(query, rows, doc * dims);
  };
}

/** The value for the row that starts there. */
export function plainDot({ weights, offset }: Linear, rows: Rows, start: number): number {
  let even = 0;
  let odd = 0;
  const paired = weights.length & ~1;
  for (let j = 0; j < paired; j += 2) {
    even += weights[j] * rows[start + j];
    odd += weights[j + 1] * rows[start + j + 1];
  }
  if (paired < weights.length) even += weights[paired] * rows[start + paired];
  return offset + (even + odd);
}
