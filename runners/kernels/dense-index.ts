import type { DenseEncoding, Hits, Index, Work } from '../system.js';
import { rowDots } from './dot.js';
import { selectTop } from './top-k.js';

/** Writes to scores[doc] the score of every document of `docs`. */
export type Scorer = (docs: Int32Array, scores: Float64Array) => void;

/** An index that scores every document it is asked for, one after another, and skips none. */
export interface Scan {
  readonly docCount: number;
  readonly bytesPerDoc: number;
  /** What is not stored per document: ranges of a quantization. */
  readonly sharedBytes: number;
  readonly workPerDoc: Work;
  readonly scorerOf: (query: number) => Scorer;
}

/** With or without `among`, a document's score comes from one code path, so that it is the same to the last bit. */
export function scanIndex(scan: Scan): Index {
  const all = Int32Array.from({ length: scan.docCount }, (_, doc) => doc);
  const scores = new Float64Array(scan.docCount);
  return {
    bytes: scan.docCount * scan.bytesPerDoc + scan.sharedBytes,
    bytesPerDoc: scan.bytesPerDoc,
    search: (query, k, among = all): Hits => {
      scan.scorerOf(query)(among, scores);
      return { ...selectTop(scores, among, among.length, k), work: times(scan.workPerDoc, among.length) };
    },
  };
}

/** Exact search: the dot product of float32 vectors in float64; the cosine where the vectors have unit length. */
export function exactIndex({ dims, docs, queries }: DenseEncoding): Index {
  const dots = rowDots(docs, dims);
  return scanIndex({
    docCount: docs.length / dims,
    bytesPerDoc: 4 * dims,
    sharedBytes: 0,
    workPerDoc: { flops: 2 * dims },
    scorerOf: (query) => {
      const weights = Float64Array.from(queries.subarray(query * dims, (query + 1) * dims));
      return (among, scores) => dots({ weights, offset: 0 }, among, scores);
    },
  });
}

function times(work: Work, count: number): Work {
  return Object.fromEntries(Object.entries(work).map(([unit, amount]) => [unit, amount * count]));
}
