import { denseWork } from '../cost/retrieval.js';
import type { DenseEncoding, Hits, Index, Work } from '../system.js';
import { rowDots } from './dot.js';
import { floatPass, type ScoreBlocks } from './float-pass.js';
import { int16Pass } from './int16-pass.js';
import { once } from './once.js';
import { mostQueries } from './panels.js';
import type { BlockValues, QuickPass } from './quick-pass.js';
import { type QuickAsk, type Survivors, survivorsNow, survivorsSoon } from './quick-search.js';
import { selectTop } from './top-k.js';
import { type Arithmetic, arithmeticHere } from './wasm-memory.js';

/** Writes to scores[doc] the score of every document of `docs`. */
export type Scorer = (docs: Int32Array, scores: Float64Array) => void;

/** An index that answers as if it scored every document, one after another, and skipped none. */
export interface Scan {
  readonly encoding: DenseEncoding;
  /** What the method stores. The codes of a quick pass are this machine's way to be quick, and are not counted. */
  readonly bytesPerDoc: number;
  /** What is not stored per document: ranges of a quantization. */
  readonly sharedBytes: number;
  /** Bytes of a query as its scorer reads it. */
  readonly bytesPerQuery: number;
  /**
   * Of the scores of that many documents as they are defined: 2·dims flops each for dot products. A document counts once
   * for each search that considers it, whatever a quick pass spares or repeats: the number says what the method costs, not
   * how this machine got there.
   */
  readonly workOf: (docs: number) => Work;
  readonly scorerOf: (query: number) => Scorer;
  /** A quick look after which few documents are left to score. It is made for the first search that can use it. */
  readonly quickPass?: () => QuickPass | null;
  /** One for blocks of queries that answers later; it keeps nothing from one block to the next. */
  readonly blockPass?: () => QuickPass<Promise<BlockValues>> | null;
}

/**
 * Alone or in a block, with or without `among`, a document's score comes from one code path, so that it is the same to
 * the last bit. A query without a direction (the zero vector of a text with no known term) finds nothing, as in lexical
 * search: its cosine is undefined, and a list of all documents tied would only say so at length. Asked about some
 * documents, it ties them.
 */
export function scanIndex(scan: Scan): Index {
  const { encoding, bytesPerDoc, sharedBytes, bytesPerQuery, workOf, scorerOf } = scan;
  const docCount = encoding.docs.length / encoding.dims;
  const quickPass = once(scan.quickPass ?? none);
  const blockPass = once(scan.blockPass ?? none);
  const all = once(() => Int32Array.from({ length: docCount }, (_, doc) => doc));
  const scores = new Float64Array(docCount);

  /** The best of `docs`, which are all that a search of `considered` documents may find. */
  const bestOf = (docs: Int32Array, query: number, k: number, considered: number): Hits => {
    scorerOf(query)(docs, scores);
    return { ...selectTop(scores, docs, docs.length, k), work: workOf(considered) };
  };
  const tied = (docs: Int32Array, k: number): Hits => {
    for (const doc of docs) scores[doc] = 0;
    return { ...selectTop(scores, docs, docs.length, k), work: workOf(0) };
  };
  const survivorsOf = (ask: QuickAsk): Survivors => {
    const pass = worthwhile(ask.k, docCount) ? quickPass() : null;
    return pass === null ? Array.from(ask.queries, () => null) : survivorsNow(pass, ask);
  };

  const search = (query: number, k: number, among?: Int32Array): Hits => {
    if (isBlank(encoding, query)) return tied(among ?? nothing, k);
    if (among !== undefined) return bestOf(among, query, k, among.length);
    const [survivors] = survivorsOf({ queries: Int32Array.of(query), k });
    return bestOf(survivors ?? all(), query, k, docCount);
  };

  const searchBlock = async (queries: Int32Array, k: number): Promise<readonly Hits[]> => {
    const waited = worthwhile(k, docCount) ? blockPass() : null;
    const asked = queries.filter((query) => !isBlank(encoding, query));
    const found: Hits[] = [];
    for (const part of partsOf(asked, waited?.mostQueries ?? mostQueries)) {
      const ask = { queries: part, k };
      const survivors = waited === null ? survivorsOf(ask) : await survivorsSoon(waited, ask);
      part.forEach((query, i) => {
        found.push(bestOf(survivors[i] ?? all(), query, k, docCount));
      });
    }
    let next = 0;
    return Array.from(queries, (query) => (isBlank(encoding, query) ? tied(nothing, k) : found[next++]));
  };
  return { bytes: docCount * bytesPerDoc + sharedBytes, bytesPerDoc, bytesPerQuery, search, searchBlock };
}

const none = () => null;
const nothing = new Int32Array(0);

/** Where half of all documents are asked for, nothing is gained by telling them apart first. */
function worthwhile(k: number, docCount: number): boolean {
  return k > 0 && 2 * k < docCount;
}

function partsOf(queries: Int32Array, size: number): Int32Array[] {
  return Array.from({ length: Math.ceil(queries.length / size) }, (_, i) => queries.slice(i * size, (i + 1) * size));
}

function isBlank({ queries, dims }: DenseEncoding, query: number): boolean {
  return queries.subarray(query * dims, (query + 1) * dims).every((value) => value === 0);
}

export interface ExactOptions {
  /** A matrix library for the quick look of `searchBlock`; without it the kernels do it. The answers are the same. */
  readonly scoreBlocks?: ScoreBlocks;
  readonly arithmetic?: Arithmetic;
}

/** Exact search: the dot product of float32 vectors in float64; the cosine where the vectors have unit length. */
export function exactIndex(encoding: DenseEncoding, options: ExactOptions = {}): Index {
  const { dims, docs, queries } = encoding;
  const { scoreBlocks, arithmetic = arithmeticHere } = options;
  const dots = rowDots(docs, dims, arithmetic);
  return scanIndex({
    encoding,
    bytesPerDoc: 4 * dims,
    sharedBytes: 0,
    bytesPerQuery: 4 * dims,
    workOf: (count) => denseWork(count, dims),
    scorerOf: (query) => {
      const weights = new Float64Array(queries.subarray(query * dims, (query + 1) * dims));
      return (among, scores) => dots({ weights, offset: 0 }, among, scores);
    },
    quickPass: () => (arithmetic === 'simd' ? int16Pass(encoding) : null),
    blockPass: () => (scoreBlocks === undefined ? null : floatPass(encoding, scoreBlocks)),
  });
}
