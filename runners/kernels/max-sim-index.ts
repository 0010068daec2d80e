import { type MaxSimSize, maxSimBitsWork, maxSimWork } from '../cost/retrieval.js';
import type { Hits, Index, LateInteractionEncoding, TokenRows, Work } from '../system.js';
import { byteCoding } from './byte-pass.js';
import type { Linear } from './dot.js';
import { finestUnit } from './grid.js';
import { signBits, wordsFor } from './hamming.js';
import { int16Coding } from './int16-pass.js';
import { type MaxSim, plainMaxSim, quickMaxSim, type RowRange, type TokenSides } from './max-sim.js';
import { plainBitMaxSim, quickBitMaxSim } from './max-sim-bits.js';
import { once } from './once.js';
import type { StoreOptions } from './panel-store.js';
import { nearestCodes, rangesOf } from './quantize.js';
import { selectTop } from './top-k.js';
import { type Arithmetic, arithmeticHere } from './wasm-memory.js';

export interface MaxSimOptions extends StoreOptions {
  readonly arithmetic?: Arithmetic;
}

interface TokenScan {
  readonly encoding: LateInteractionEncoding;
  readonly rowBytes: number;
  readonly sharedBytes: number;
  /** Bytes of a query's row as the similarity reads it. */
  readonly queryRowBytes: number;
  /** Of all that a search considers, as the score is defined: see `Scan.workOf`. */
  readonly workOf: (size: MaxSimSize) => Work;
  readonly maxSim: () => MaxSim;
}

/**
 * Exhaustive search by MaxSim: the score of a document is Σ over the query's rows of the greatest similarity of its own
 * rows (Khattab and Zaharia, SIGIR 2020). A document without rows has no greatest similarity and is never found; asked
 * about with `among`, it contributes 0 for every query row, as one whose rows are at right angles to the query's. A
 * query without rows, or with zero rows alone, finds nothing, and ties at 0 what it is asked about.
 */
function tokenIndex({ encoding, rowBytes, sharedBytes, queryRowBytes, workOf, maxSim }: TokenScan): Index {
  const { docs, queries } = encoding;
  const docCount = docs.offsets.length - 1;
  const stored = docs.offsets[docCount] * rowBytes + docCount * docs.offsets.BYTES_PER_ELEMENT;
  const withRows = once(() => positionsWithRows(docs));
  const ready = once(maxSim);
  const scores = new Float64Array(docCount);

  const bestOf = (candidates: Int32Array, k: number, size: MaxSimSize): Hits => {
    return { ...selectTop(scores, candidates, candidates.length, k), work: workOf(size) };
  };
  const search = (query: number, k: number, among?: Int32Array): Hits => {
    const rows = { from: queries.offsets[query], to: queries.offsets[query + 1] };
    const considered = among ?? withRows();
    if (isBlank(encoding, rows)) {
      for (const doc of considered) scores[doc] = 0;
      return bestOf(among ?? new Int32Array(0), k, { queryRows: 0, docs: 0, docRows: 0, dims: encoding.dims });
    }
    const survivors = among === undefined ? ready().survivors(rows, considered, k) : null;
    ready().score(rows, survivors ?? considered, scores);
    return bestOf(survivors ?? considered, k, sizeOf(encoding, rows, considered));
  };
  const queryCount = queries.offsets.length - 1;
  return {
    bytes: stored + sharedBytes,
    bytesPerDoc: docCount === 0 ? 0 : stored / docCount,
    bytesPerQuery: queryCount === 0 ? 0 : (queryRowBytes * queries.offsets[queryCount]) / queryCount,
    search,
  };
}

function positionsWithRows({ offsets }: TokenRows): Int32Array {
  return Int32Array.from({ length: offsets.length - 1 }, (_, doc) => doc).filter((d) => offsets[d] < offsets[d + 1]);
}

function sizeOf({ dims, docs }: LateInteractionEncoding, { from, to }: RowRange, considered: Int32Array): MaxSimSize {
  let docRows = 0;
  let withRows = 0;
  for (const doc of considered) {
    const rows = docs.offsets[doc + 1] - docs.offsets[doc];
    docRows += rows;
    if (rows > 0) withRows++;
  }
  return { queryRows: to - from, docs: withRows, docRows, dims };
}

function isBlank({ dims, queries }: LateInteractionEncoding, { from, to }: RowRange): boolean {
  return queries.vectors.subarray(from * dims, to * dims).every((value) => value === 0);
}

/** Exact MaxSim: dot products of float32 rows in float64, maxima of them, their sum in float64. 4·dims bytes a row. */
export function maxSimIndex(encoding: LateInteractionEncoding, options: MaxSimOptions = {}): Index {
  const { dims, docs, queries } = encoding;
  const linearOf = (row: number): Linear => ({ weights: weightsOf(queries.vectors, row, dims), offset: 0 });
  const sides = { dims, offsets: docs.offsets, rows: docs.vectors, linearOf };
  const coding = () => int16Coding({ dims, docs: docs.vectors, queries: queries.vectors, unit: commonUnit(encoding) });
  return tokenIndex({
    encoding,
    rowBytes: 4 * dims,
    sharedBytes: 0,
    queryRowBytes: 4 * dims,
    workOf: maxSimWork,
    maxSim: () => linearMaxSim(sides, coding, options),
  });
}

/**
 * MaxSim with document rows in one byte per dimension: the nearest of 256 levels between the least and the greatest
 * value of that dimension over all rows of documents. Query rows stay float32, offset and scale are undone:
 * value = Σ q·least + Σ (q·step)·code, in float64. dims bytes a row.
 */
export function maxSimInt8Index(encoding: LateInteractionEncoding, options: MaxSimOptions = {}): Index {
  const { dims, docs, queries } = encoding;
  const ranges = rangesOf({ dims, docs: docs.vectors });
  const codes = nearestCodes(docs.vectors, ranges);
  const linearOf = (row: number): Linear => {
    const weights = weightsOf(queries.vectors, row, dims);
    let offset = 0;
    for (let j = 0; j < dims; j++) {
      offset += weights[j] * ranges.least[j];
      weights[j] *= ranges.step[j];
    }
    return { weights, offset };
  };
  return tokenIndex({
    encoding,
    rowBytes: dims,
    sharedBytes: ranges.least.byteLength + ranges.step.byteLength,
    queryRowBytes: 4 * dims,
    workOf: maxSimWork,
    maxSim: () => {
      const sides = { dims, offsets: docs.offsets, rows: codes, linearOf };
      return linearMaxSim(sides, () => byteCoding({ dims, codes, linearOf }), options);
    },
  });
}

/**
 * MaxSim with one sign bit per dimension on both sides: the similarity of two rows is (dims − 2 · differing bits) / dims,
 * the cosine of vectors of ±1. Whole words of 32 bits a row.
 */
export function maxSimBinaryIndex(encoding: LateInteractionEncoding, options: MaxSimOptions = {}): Index {
  const { dims, docs, queries } = encoding;
  const { arithmetic = arithmeticHere } = options;
  const words = wordsFor(dims);
  const docBits = signBits(docs.vectors, dims);
  const tokens = { dims, offsets: docs.offsets, docBits, queryBits: signBits(queries.vectors, dims) };
  return tokenIndex({
    encoding,
    rowBytes: 4 * words,
    sharedBytes: 0,
    queryRowBytes: 4 * words,
    workOf: maxSimBitsWork,
    maxSim: () => ({
      score: arithmetic === 'simd' ? quickBitMaxSim(tokens, options) : plainBitMaxSim(tokens),
      survivors: () => null,
    }),
  });
}

function linearMaxSim(sides: TokenSides, coding: () => ReturnType<typeof byteCoding>, options: MaxSimOptions): MaxSim {
  const { arithmetic = arithmeticHere } = options;
  const coded = arithmetic === 'simd' ? coding() : null;
  return coded === null ? plainMaxSim(sides) : quickMaxSim(sides, coded, options);
}

function weightsOf(vectors: Float32Array, row: number, dims: number): Float64Array {
  return new Float64Array(vectors.subarray(row * dims, (row + 1) * dims));
}

/** The finest unit in which every row of the documents fits. */
function commonUnit({ dims, docs }: LateInteractionEncoding): number {
  let unit = 0;
  for (let start = 0; start < docs.vectors.length; start += dims) {
    unit = Math.max(unit, finestUnit(docs.vectors, start, dims));
  }
  return unit;
}
