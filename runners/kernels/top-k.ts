import { TenbinError } from '../../core/errors.js';

/** The best of a row of scores, and how they are ordered: descending score, ascending position inside a tie. */
export interface Selection {
  readonly docs: Int32Array;
  readonly scores: Float64Array;
}

/**
 * The best `k` of `scores`, and every position tied with the k-th, so there may be more than `k`.
 *
 * `candidates` are the positions to consider, the first `count` of them and each at most once; `null` considers the
 * positions 0 … count - 1. Infinities order as numbers and -0 equals 0; a NaN is refused and named by its position.
 * Two passes over the scores and a heap of `k` for the threshold: O(n + c log k + r log r) for r results, where c, the
 * scores that enter the heap, is about k ln(n / k) for scores in random order.
 */
export function selectTop(
  scores: Float64Array | Float32Array,
  candidates: Int32Array | null,
  count: number,
  k: number,
): Selection {
  const wanted = Math.min(k, count);
  if (!(wanted > 0)) return { docs: new Int32Array(0), scores: new Float64Array(0) };
  const threshold =
    candidates === null ? thresholdOfRow(scores, count, wanted) : thresholdOf(scores, candidates, count, wanted);
  const kept =
    candidates === null ? atLeastInRow(scores, count, threshold) : atLeast(scores, candidates, count, threshold);
  return ordered(scores, kept);
}

/** The k-th best score. The loops over a row and over candidates are apart because they are the hot ones. */
function thresholdOfRow(scores: Float64Array | Float32Array, count: number, k: number): number {
  const heap = new Float64Array(k);
  for (let i = 0; i < k; i++) heap[i] = checked(scores[i], i);
  heapify(heap);
  let least = heap[0];
  for (let i = k; i < count; i++) {
    const score = scores[i];
    if (score <= least) continue;
    least = replaceLeast(heap, checked(score, i));
  }
  return least;
}

function thresholdOf(scores: Float64Array | Float32Array, candidates: Int32Array, count: number, k: number): number {
  const heap = new Float64Array(k);
  for (let i = 0; i < k; i++) heap[i] = checked(scores[candidates[i]], candidates[i]);
  heapify(heap);
  let least = heap[0];
  for (let i = k; i < count; i++) {
    const score = scores[candidates[i]];
    if (score <= least) continue;
    least = replaceLeast(heap, checked(score, candidates[i]));
  }
  return least;
}

/** A NaN is not `<= least`, so it always ends here and costs the hot loop nothing. */
function checked(score: number, position: number): number {
  if (!Number.isNaN(score)) return score;
  throw new TenbinError('not-finite', {
    what: 'A score is not a number',
    value: `NaN for the document at position ${position}`,
    fix: 'NaN has no place in a ranking: look for a zero vector, an overflow or a damaged model file.',
  });
}

function heapify(heap: Float64Array): void {
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(heap, i, heap[i]);
}

function replaceLeast(heap: Float64Array, score: number): number {
  sink(heap, 0, score);
  return heap[0];
}

/** Puts `score` at `start` of a binary heap with the least on top, and lets it sink to its place. */
function sink(heap: Float64Array, start: number, score: number): void {
  const size = heap.length;
  let place = start;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= size) break;
    if (child + 1 < size && heap[child + 1] < heap[child]) child++;
    if (heap[child] >= score) break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = score;
}

function atLeastInRow(scores: Float64Array | Float32Array, count: number, threshold: number): Int32Array {
  const kept: number[] = [];
  for (let i = 0; i < count; i++) if (scores[i] >= threshold) kept.push(i);
  return new Int32Array(kept);
}

function atLeast(
  scores: Float64Array | Float32Array,
  candidates: Int32Array,
  count: number,
  threshold: number,
): Int32Array {
  const kept: number[] = [];
  for (let i = 0; i < count; i++) if (scores[candidates[i]] >= threshold) kept.push(candidates[i]);
  return new Int32Array(kept);
}

/** Sorts by number without a comparator, which is several times faster; each document then looks up its place. */
function ordered(scores: Float64Array | Float32Array, kept: Int32Array): Selection {
  const size = kept.length;
  const ascending = new Float64Array(size);
  for (let i = 0; i < size; i++) ascending[i] = scores[kept[i]];
  ascending.sort();
  const docs = new Int32Array(size);
  const taken = new Int32Array(size);
  for (const doc of kept.sort()) {
    const first = size - placesUpTo(ascending, scores[doc]);
    docs[first + taken[first]++] = doc;
  }
  const best = new Float64Array(size);
  for (let i = 0; i < size; i++) best[i] = scores[docs[i]];
  return { docs, scores: best };
}

/** How many of the ascending scores are at most `score`. */
function placesUpTo(ascending: Float64Array, score: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= score) low = middle + 1;
    else high = middle;
  }
  return low;
}
