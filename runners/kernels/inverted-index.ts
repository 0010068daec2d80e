import { postingsWork } from '../cost/retrieval.js';
import type { Hits, Index, SparseRows, Work } from '../system.js';
import { boundsOf } from './score-bounds.js';
import { selectTop } from './top-k.js';

/** What an inverted index is made of: `postings` are the documents of each term, ascending, with their weights. */
export interface InvertedIndexParts {
  readonly docCount: number;
  readonly postings: SparseRows;
  readonly queries: SparseRows;
  readonly docBias?: Float64Array | undefined;
  /** Bytes that a search needs besides and that all documents share: the vocabulary. */
  readonly sharedBytes: number;
  /** Of so many postings read and priors added: the postings alone, as of counted terms, where nothing else is said. */
  readonly workOf?: (postings: number, priors: number) => Work;
}

/**
 * Exact search over postings, a term at a time. Scores are doubles, summed in the order of the query's terms, so they
 * do not depend on the order of the documents: 12 bytes a posting (with weights in single precision it would be 8).
 *
 * Without `among`, a document is found if its dot product with the query is not zero (for weights above zero: if it
 * shares a term); its bias is then added. With `among`, exactly those are ranked, each at most once in the list.
 */
export function invertedIndex(parts: InvertedIndexParts): Index {
  const { docCount, postings, queries, docBias, sharedBytes, workOf = postingsWork } = parts;
  const nothing: Hits = { docs: new Int32Array(0), scores: new Float64Array(0), work: workOf(0, 0) };
  const search = docCount === 0 ? () => nothing : searcher(parts, workOf);
  const perDoc = postings.terms.byteLength + postings.weights.byteLength + (docBias?.byteLength ?? 0);
  const scratch = docCount * (2 * Float64Array.BYTES_PER_ELEMENT + Int32Array.BYTES_PER_ELEMENT);
  return {
    bytes: perDoc + postings.offsets.byteLength + scratch + sharedBytes,
    bytesPerDoc: docCount === 0 ? 0 : perDoc / docCount,
    bytesPerQuery: meanRowBytes(queries),
    search,
  };
}

/** A query's row is a number of 4 bytes and a weight of 8 for each of its terms. */
const entryBytes = 12;

function meanRowBytes({ offsets }: SparseRows): number {
  const rows = offsets.length - 1;
  return rows === 0 ? 0 : (entryBytes * offsets[rows]) / rows;
}

function searcher(parts: InvertedIndexParts, workOf: (postings: number, priors: number) => Work) {
  const { docCount, postings, queries, docBias } = parts;
  const { offsets, terms: docs, weights } = postings;
  const bounds = boundsOf(postings, queries);
  // Scratch of every search: scores are zero between two of them.
  const scores = new Float64Array(docCount);
  const found = new Int32Array(docCount);
  const foundScores = new Float64Array(docCount);

  /** Adds the postings of the query's terms into `scores`; returns how many there were. */
  const accumulate = (query: number): number => {
    let read = 0;
    for (let i = queries.offsets[query]; i < queries.offsets[query + 1]; i++) {
      const term = queries.terms[i];
      const times = queries.weights[i];
      const end = offsets[term + 1];
      for (let p = offsets[term]; p < end; p++) scores[docs[p]] += times * weights[p];
      read += end - offsets[term];
    }
    return read;
  };

  // Both write the documents that may be among the best into `found` and return how many there are. Their tests are
  // written so that a NaN is found, and refused by the selection.
  const gatherFromAll = (floor: number): number => {
    let count = 0;
    for (let doc = 0; doc < docCount; doc++) {
      const score = scores[doc];
      if (score !== 0 && !(score < floor)) found[count++] = doc;
    }
    return count;
  };
  const gatherFromPostings = (terms: Int32Array, floor: number): number => {
    let count = 0;
    for (const term of terms) {
      for (let p = offsets[term], end = offsets[term + 1]; p < end; p++) {
        const doc = docs[p];
        const score = scores[doc];
        if (score === 0 || score < floor) continue;
        found[count] = doc;
        foundScores[count++] = score;
        scores[doc] = 0; // so that the next posting of the document passes it by
      }
    }
    for (let i = 0; i < count; i++) scores[found[i]] = foundScores[i];
    return count;
  };

  /** A posting jumps to its document, and so costs about as much as two documents passed in order. */
  const gather = (query: number, k: number): number => {
    const floor = docBias === undefined ? bounds.floorOf(query, k) : -Infinity;
    const terms = bounds.essentialTerms(query, floor);
    let toRead = 0;
    for (const term of terms) toRead += offsets[term + 1] - offsets[term];
    return toRead * 2 < docCount ? gatherFromPostings(terms, floor) : gatherFromAll(floor);
  };

  const addBias = (candidates: Int32Array, query: number): void => {
    if (docBias === undefined) return;
    const mass = massOf(queries, query);
    for (const doc of candidates) scores[doc] += mass * docBias[doc];
  };

  /** Filling a row is some twenty times faster an element than jumping about in it. */
  const clear = (query: number, read: number, candidates: Int32Array): void => {
    if (read * 20 > docCount) {
      scores.fill(0);
      return;
    }
    for (let i = queries.offsets[query]; i < queries.offsets[query + 1]; i++) {
      const term = queries.terms[i];
      for (let p = offsets[term], end = offsets[term + 1]; p < end; p++) scores[docs[p]] = 0;
    }
    for (let i = 0; i < candidates.length; i++) scores[candidates[i]] = 0;
  };

  return (query: number, k: number, among?: Int32Array): Hits => {
    const read = accumulate(query);
    const candidates = among ?? found.subarray(0, gather(query, k));
    addBias(candidates, query);
    try {
      const top = selectTop(scores, candidates, candidates.length, k);
      return { docs: top.docs, scores: top.scores, work: workOf(read, docBias === undefined ? 0 : candidates.length) };
    } finally {
      clear(query, read, candidates);
    }
  };
}

/** The sum of a query's weights. */
function massOf({ offsets, weights }: SparseRows, query: number): number {
  let mass = 0;
  for (let i = offsets[query]; i < offsets[query + 1]; i++) mass += weights[i];
  return mass;
}
