import type { DenseEncoding, Hits, Index, Work } from '../system.js';
import { scaleWork } from '../work.js';
import { rowDots } from './dot.js';
import { selectTop } from './top-k.js';

/** Writes to scores[doc] the score of every document of `docs`. */
export type Scorer = (docs: Int32Array, scores: Float64Array) => void;

/** An index that scores every document it is asked for, one after another, and skips none. */
export interface Scan {
  readonly encoding: DenseEncoding;
  readonly bytesPerDoc: number;
  /** What is not stored per document: ranges of a quantization. */
  readonly sharedBytes: number;
  readonly workPerDoc: Work;
  readonly scorerOf: (query: number) => Scorer;
}

/**
 * With or without `among`, a document's score comes from one code path, so that it is the same to the last bit. A query
 * without a direction (the zero vector of a text with no known term) finds nothing, as in lexical search: its cosine is
 * undefined, and a list of all documents tied would only say so at length. Asked about some documents, it ties them.
 */
export function scanIndex({ encoding, bytesPerDoc, sharedBytes, workPerDoc, scorerOf }: Scan): Index {
  const docCount = encoding.docs.length / encoding.dims;
  const all = Int32Array.from({ length: docCount }, (_, doc) => doc);
  const scores = new Float64Array(docCount);
  return {
    bytes: docCount * bytesPerDoc + sharedBytes,
    bytesPerDoc,
    search: (query, k, among): Hits => {
      const blank = isBlank(encoding, query);
      const docs = among ?? (blank ? nothing : all);
      if (blank) scores.fill(0);
      else scorerOf(query)(docs, scores);
      return { ...selectTop(scores, docs, docs.length, k), work: scaleWork(workPerDoc, blank ? 0 : docs.length) };
    },
  };
}

const nothing = new Int32Array(0);

function isBlank({ queries, dims }: DenseEncoding, query: number): boolean {
  return queries.subarray(query * dims, (query + 1) * dims).every((value) => value === 0);
}

/** Exact search: the dot product of float32 vectors in float64; the cosine where the vectors have unit length. */
export function exactIndex(encoding: DenseEncoding): Index {
  const { dims, docs, queries } = encoding;
  const dots = rowDots(docs, dims);
  return scanIndex({
    encoding,
    bytesPerDoc: 4 * dims,
    sharedBytes: 0,
    workPerDoc: { flops: 2 * dims },
    scorerOf: (query) => {
      const weights = Float64Array.from(queries.subarray(query * dims, (query + 1) * dims));
      return (among, scores) => dots({ weights, offset: 0 }, among, scores);
    },
  });
}
