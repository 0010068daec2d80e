import { vocabulary } from '../kernels/vocabulary.js';
import type { Analyzer, Texts } from '../system.js';
import type { QueryTerms } from './proximity-score.js';

/** The terms of each document in their order, which an inverted index without positions does not keep. */
export interface ForwardIndex {
  readonly docCount: number;
  /** Document d is terms[offsets[d] .. offsets[d + 1]). */
  readonly offsets: Int32Array;
  readonly terms: Int32Array;
  /** The terms of each query that some document holds, repeated ones again. */
  readonly queries: readonly Int32Array[];
  readonly documentFrequencies: Int32Array;
  /** Of the terms in UTF-8. */
  readonly vocabularyBytes: number;
}

export function forwardIndex(texts: Texts, analyzer: Analyzer): ForwardIndex {
  const words = vocabulary(analyzer);
  const read = (text: string): Int32Array => {
    const length = words.read(text);
    return words.numbers().slice(0, length);
  };
  const docs = texts.docs.map(read);
  const termCount = words.terms.length;
  const vocabularyBytes = words.terms.reduce((sum, term) => sum + Buffer.byteLength(term), 0);
  const offsets = new Int32Array(docs.length + 1);
  for (let doc = 0; doc < docs.length; doc++) offsets[doc + 1] = offsets[doc] + docs[doc].length;
  const terms = new Int32Array(offsets[docs.length]);
  for (let doc = 0; doc < docs.length; doc++) terms.set(docs[doc], offsets[doc]);
  return {
    docCount: docs.length,
    offsets,
    terms,
    queries: texts.queries.map((text) => read(text).filter((term) => term < termCount)),
    documentFrequencies: frequencies(docs, termCount),
    vocabularyBytes,
  };
}

function frequencies(docs: readonly Int32Array[], termCount: number): Int32Array {
  const counts = new Int32Array(termCount);
  for (const terms of docs) for (const term of new Set(terms)) counts[term]++;
  return counts;
}

/** Distinct terms in the order in which the query first says them, so that sums do not depend on the collection. */
export function queryTerms({ queries, documentFrequencies, docCount }: ForwardIndex, query: number): QueryTerms {
  const counts = new Map<number, number>();
  for (const term of queries[query]) counts.set(term, (counts.get(term) ?? 0) + 1);
  const terms = Int32Array.from(counts.keys());
  return {
    terms,
    counts: Float64Array.from(counts.values()),
    weights: Float64Array.from(terms, (term) => Math.log(docCount / documentFrequencies[term])),
  };
}
