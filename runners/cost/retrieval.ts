import type { Work } from '../facts.js';

/**
 * What a query costs by kind of index, in closed form. A dot product of d dimensions is 2·d flops (d products and d
 * additions, the first to zero or to an offset). Units are told apart and never added up: operations on whole numbers are
 * no flops. What happens once for a query and does not grow with the collection (scaling it, folding ranges into it) is
 * left out, as is ordering scores.
 */

/** A text as a sum of weighted rows of a table: a row for each term that has one, its weight beside it. */
export function tableWork(terms: number, dims: number): Work {
  return { flops: 2 * dims * terms, lookUps: terms };
}

/** Every document by the dot product of float32 vectors, or of a float query with coded documents. */
export function denseWork(docs: number, dims: number): Work {
  return { flops: 2 * dims * docs };
}

/** Both sides in codes of whole numbers, and one scale for each score. */
export function scaledCodesWork(docs: number, dims: number): Work {
  return { integerOps: 2 * dims * docs, flops: docs };
}

/** Both sides in codes of whole numbers, whose raw dot product is the score. */
export function rawCodesWork(docs: number, dims: number): Work {
  return { integerOps: 2 * dims * docs };
}

const wordBits = 64;

/** Hamming distances over words of 64 bits: exclusive or and count in each word, and their sum. */
export function hammingWork(docs: number, dims: number): Work {
  const words = Math.ceil(dims / wordBits);
  return { popcountWords: docs * words, integerOps: docs * (3 * words - 1) };
}

/** The size of a MaxSim search: rows of the query, documents that have rows, and how many rows those have together. */
export interface MaxSimSize {
  readonly queryRows: number;
  readonly docs: number;
  readonly docRows: number;
  readonly dims: number;
}

/** Dot products of each query row with each document row, the greatest for each query row and document, and their sums. */
export function maxSimWork(size: MaxSimSize): Work {
  const { queryRows, docRows, dims } = size;
  return { flops: 2 * queryRows * docRows * dims + maximaAndSums(size) };
}

/**
 * MaxSim of sign bits: distances, least distances and their sums in whole numbers; then a score is one line of its sum,
 * |q| − (2/dims)·sum.
 */
export function maxSimBitsWork(size: MaxSimSize): Work {
  const { queryRows, docs, docRows, dims } = size;
  const { popcountWords = 0, integerOps = 0 } = hammingWork(queryRows * docRows, dims);
  return { popcountWords, integerOps: integerOps + maximaAndSums(size), flops: queryRows === 0 ? 0 : 2 * docs };
}

/** r rows are compared r − 1 times, n numbers are added n − 1 times. */
function maximaAndSums({ queryRows, docs, docRows }: MaxSimSize): number {
  return queryRows === 0 ? 0 : queryRows * (docRows - docs) + (queryRows - 1) * docs;
}

/** Lexical search: the entries of the query's terms. Lexical systems state no flops; `bm25Flops` says what they could be. */
export function postingsWork(postings: number): Work {
  return { postings };
}

/** Learned weights of both sides: a product and an addition for each posting, and for each prior that is added. */
export function sparseDotWork(postings: number, priors = 0): Work {
  return { postings, flops: 2 * (postings + priors) };
}

/**
 * Of BM25 in flops: one addition a posting where the index stores what each posting is worth (`impacts`); seven where
 * tf·(k1 + 1) / (tf + k1·(1 − b + b·length/average)) · idf is computed with nothing but k1·(1 − b) and k1·b/average ready
 * (`frequencies`: three products, a division, three additions).
 */
export function bm25Flops(postings: number, stored: 'impacts' | 'frequencies'): number {
  return postings * (stored === 'impacts' ? 1 : 7);
}

/** A walk in a graph: `computed` distances, which have to be counted, since they follow from no size. */
export function graphWork(computed: number, dims: number): Work {
  return { distanceComputations: computed, ...denseWork(computed, dims) };
}

/** An inverted file: the query against all centroids, then against the documents of the lists that were probed. */
export function invertedFileWork(lists: number, scanned: number, dims: number): Work {
  return denseWork(lists + scanned, dims);
}

export interface ProductCodes {
  readonly docs: number;
  readonly dims: number;
  /** Parts that a vector is cut into. */
  readonly parts: number;
  /** Codes of each part. */
  readonly codes: number;
}

/** Product quantization: a table of the query's part with each code of it, then a look-up for each part and their sum. */
export function productCodesWork({ docs, dims, parts, codes }: ProductCodes): Work {
  return { flops: 2 * codes * dims + docs * (parts - 1), lookUps: docs * parts };
}
