import type { SparseRows } from '../system.js';
import { selectTop } from './top-k.js';

/** What is known of a query's scores before they are added up; it spares the selection nearly all documents. */
export interface ScoreBounds {
  /**
   * A score that the k-th best document reaches for sure: what one term alone gives to k documents. Sums of doubles that
   * are not negative never round below one of theirs, so it is exact; where a weight is negative there is none.
   */
  readonly floorOf: (query: number, k: number) => number;
  /**
   * The query's terms without those that even together stay below the floor: a document that holds none of the rest
   * cannot reach it (the essential lists of MaxScore; Turtle and Flood, Information Processing & Management 31, 1995).
   */
  readonly essentialTerms: (query: number, floor: number) => Int32Array;
}

/** Sums of bounds are rounded in another order than scores; this is far more than the difference. */
const slack = 1 + 1e-9;

export function boundsOf(postings: SparseRows, queries: SparseRows): ScoreBounds {
  const termsOf = (query: number): Int32Array =>
    queries.terms.subarray(queries.offsets[query], queries.offsets[query + 1]);
  if (hasNegative(postings.weights) || hasNegative(queries.weights)) {
    return { floorOf: () => -Infinity, essentialTerms: termsOf };
  }
  const kthBestOf = kthBestWeights(postings);
  const greatestOf = greatestWeights(postings);

  const floorOf = (query: number, k: number): number => {
    let floor = 0;
    for (let i = queries.offsets[query]; i < queries.offsets[query + 1]; i++) {
      floor = Math.max(floor, queries.weights[i] * kthBestOf(queries.terms[i], k));
    }
    return floor;
  };

  const essentialTerms = (query: number, floor: number): Int32Array => {
    const terms = termsOf(query);
    if (!(floor > 0)) return terms;
    const start = queries.offsets[query];
    const bounds = new Float64Array(terms.length);
    for (let i = 0; i < bounds.length; i++) bounds[i] = queries.weights[start + i] * greatestOf[terms[i]];
    const least = leastEssential(bounds.slice().sort(), floor);
    // Equal bounds stay together, which errs on the safe side; what is not a number stays to be refused.
    return terms.filter((_, i) => !(bounds[i] < least));
  };
  return { floorOf, essentialTerms };
}

/** The bound with which ascending bounds together reach the floor. */
function leastEssential(ascending: Float64Array, floor: number): number {
  let sum = 0;
  for (let i = 0; i < ascending.length; i++) {
    sum += ascending[i];
    if (sum * slack >= floor) return ascending[i];
  }
  return -Infinity;
}

/** The k-th best weight of a term, 0 where it has fewer; worked out when first asked for, and kept for one k. */
function kthBestWeights({ offsets, weights }: SparseRows): (term: number, k: number) => number {
  const known = new Float64Array(offsets.length - 1);
  let knownFor = 0;
  return (term, k) => {
    if (k !== knownFor) known.fill(Number.NaN);
    knownFor = k;
    const size = offsets[term + 1] - offsets[term];
    if (size < k || k < 1) return 0;
    if (Number.isNaN(known[term])) {
      known[term] = selectTop(weights.subarray(offsets[term], offsets[term + 1]), null, size, k).scores[k - 1];
    }
    return known[term];
  };
}

function greatestWeights({ offsets, weights }: SparseRows): Float64Array {
  const greatest = new Float64Array(offsets.length - 1);
  for (let term = 0; term < greatest.length; term++) {
    for (let p = offsets[term]; p < offsets[term + 1]; p++) greatest[term] = Math.max(greatest[term], weights[p]);
  }
  return greatest;
}

function hasNegative(weights: Float64Array): boolean {
  for (let i = 0; i < weights.length; i++) if (weights[i] < 0) return true;
  return false;
}
