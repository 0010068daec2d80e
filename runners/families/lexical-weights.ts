import type { CollectionStats, LexicalWeighting, SparseRows, TermStats } from '../system.js';

export interface CountedCollection {
  /** The documents of each term, with frequencies that become weights in place. */
  readonly postings: SparseRows;
  /** The terms of each query, with frequencies; those of a cosine become weights in place. */
  readonly queries: SparseRows;
  /** Terms of each document, repeated ones again. */
  readonly lengths: Int32Array;
  readonly weighting: LexicalWeighting;
}

/** Turns frequencies into weights, a term at a time; returns what each document gets besides, if anything. */
export function weighCollection({
  postings,
  queries,
  lengths,
  weighting,
}: CountedCollection): Float64Array | undefined {
  const { weight, bias } = weighting.weigh(statsOf(lengths));
  const terms = termStatsOf(postings);
  weighPostings(postings, lengths, terms, weight);
  if (weighting.normalize === true) {
    scalePostings(postings, lengths.length);
    weighQueries(queries, terms, weight);
    scaleRows(queries);
  }
  return bias === undefined ? undefined : Float64Array.from(lengths, bias);
}

type Weight = ReturnType<LexicalWeighting['weigh']>['weight'];

function statsOf(lengths: Int32Array): CollectionStats {
  let totalLength = 0;
  for (const length of lengths) totalLength += length;
  const docCount = lengths.length;
  return { docCount, totalLength, averageLength: docCount === 0 ? 0 : totalLength / docCount };
}

function termStatsOf({ offsets, weights: frequencies }: SparseRows): TermStats[] {
  return Array.from({ length: offsets.length - 1 }, (_, term) => {
    let collectionFrequency = 0;
    for (let p = offsets[term]; p < offsets[term + 1]; p++) collectionFrequency += frequencies[p];
    return { documentFrequency: offsets[term + 1] - offsets[term], collectionFrequency };
  });
}

function weighPostings(
  { offsets, terms: docs, weights }: SparseRows,
  lengths: Int32Array,
  terms: readonly TermStats[],
  weight: Weight,
): void {
  for (let term = 0; term < terms.length; term++) {
    const stats = terms[term];
    for (let p = offsets[term]; p < offsets[term + 1]; p++) weights[p] = weight(stats, weights[p], lengths[docs[p]]);
  }
}

/** Weighs queries as if they were documents. */
function weighQueries({ offsets, terms, weights }: SparseRows, stats: readonly TermStats[], weight: Weight): void {
  for (let query = 0; query < offsets.length - 1; query++) {
    let length = 0;
    for (let i = offsets[query]; i < offsets[query + 1]; i++) length += weights[i];
    for (let i = offsets[query]; i < offsets[query + 1]; i++) weights[i] = weight(stats[terms[i]], weights[i], length);
  }
}

/** Scales documents to unit length. Squares are summed in the order of terms, whatever the order of documents. */
function scalePostings({ terms: docs, weights }: SparseRows, docCount: number): void {
  const norms = new Float64Array(docCount);
  for (let p = 0; p < docs.length; p++) norms[docs[p]] += weights[p] * weights[p];
  for (let doc = 0; doc < docCount; doc++) norms[doc] = Math.sqrt(norms[doc]);
  for (let p = 0; p < docs.length; p++) if (norms[docs[p]] > 0) weights[p] /= norms[docs[p]];
}

function scaleRows({ offsets, weights }: SparseRows): void {
  for (let row = 0; row < offsets.length - 1; row++) {
    let sum = 0;
    for (let i = offsets[row]; i < offsets[row + 1]; i++) sum += weights[i] * weights[i];
    const norm = Math.sqrt(sum);
    if (norm > 0) for (let i = offsets[row]; i < offsets[row + 1]; i++) weights[i] /= norm;
  }
}
