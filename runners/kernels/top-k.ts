import { TenbinError } from '../../core/errors.js';

/** The best of a row of scores, and how they are ordered: descending score, ascending position inside a tie. */
export interface Selection {
  readonly docs: Int32Array;
  readonly scores: Float64Array;
}

type Scores = Float64Array | Float32Array;

/**
 * The best `k` of `scores`, and every position tied with the k-th, so there may be more than `k`.
 *
 * `candidates` are the positions to consider, the first `count` of them and each at most once; `null` considers the
 * positions 0 … count - 1. Infinities order as numbers and -0 equals 0; a NaN is refused and named by its position.
 * Few scores go through a quickselect, many past a heap of `k`; then the r results are sorted. For scores in random
 * order O(n + k ln(n / k) log k + r log r).
 */
export function selectTop(scores: Scores, candidates: Int32Array | null, count: number, k: number): Selection {
  const wanted = Math.min(k, count);
  if (!(wanted > 0)) return { docs: new Int32Array(0), scores: new Float64Array(0) };
  const kept =
    count <= few ? keptOfFew(scores, candidates, count, wanted) : keptOfMany(scores, candidates, count, wanted);
  sortRange(kept, kept.start, kept.end - 1);
  return { docs: kept.docs.slice(kept.start, kept.end), scores: kept.scores.slice(kept.start, kept.end) };
}

/** Positions with their scores, of which start … end - 1 are meant, in any order. */
interface Range extends Selection {
  readonly start: number;
  readonly end: number;
}

const few = 2048;
const scratch: Selection = { docs: new Int32Array(few), scores: new Float64Array(few) };

/** What is at least as good as the k-th best, by copying all and partitioning. */
function keptOfFew(scores: Scores, candidates: Int32Array | null, count: number, k: number): Range {
  for (let i = 0; i < count; i++) {
    const doc = candidates === null ? i : candidates[i];
    const score = scores[doc];
    if (Number.isNaN(score)) refuseNaN(doc);
    scratch.docs[i] = doc;
    scratch.scores[i] = score;
  }
  let start = count - k;
  const threshold = quickselect(scratch, count, start);
  for (let i = start - 1; i >= 0; i--) if (scratch.scores[i] === threshold) swap(scratch, i, --start);
  return { ...scratch, start, end: count };
}

/** The score that a sort would put at `place`, with none greater before it and none less behind (Hoare 1961). */
function quickselect(pairs: Selection, count: number, place: number): number {
  const { scores } = pairs;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = middleOf(scores[low], scores[(low + high) >> 1], scores[high]);
    let i = low;
    let j = high;
    while (i <= j) {
      while (scores[i] < pivot) i++;
      while (scores[j] > pivot) j--;
      if (i <= j) swap(pairs, i++, j--);
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  return scores[place];
}

function swap({ docs, scores }: Selection, a: number, b: number): void {
  const doc = docs[a];
  docs[a] = docs[b];
  docs[b] = doc;
  const score = scores[a];
  scores[a] = scores[b];
  scores[b] = score;
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** What is at least as good as the k-th best, without copying all. */
function keptOfMany(scores: Scores, candidates: Int32Array | null, count: number, k: number): Range {
  const threshold = kthBest(scores, candidates, count, k);
  let end = 0;
  for (let i = 0; i < count; i++) if (scores[candidates === null ? i : candidates[i]] >= threshold) end++;
  const kept = { docs: new Int32Array(end), scores: new Float64Array(end), start: 0, end };
  for (let i = 0, next = 0; next < end; i++) {
    const doc = candidates === null ? i : candidates[i];
    if (!(scores[doc] >= threshold)) continue;
    kept.docs[next] = doc;
    kept.scores[next++] = scores[doc];
  }
  return kept;
}

function kthBest(scores: Scores, candidates: Int32Array | null, count: number, k: number): number {
  const heap = new Float64Array(k).fill(-Infinity);
  let least = -Infinity;
  for (let i = 0; i < count; i++) {
    const doc = candidates === null ? i : candidates[i];
    const score = scores[doc];
    if (score <= least) continue;
    // A NaN is not `<= least`: it always comes here, and costs the loop nothing.
    if (Number.isNaN(score)) refuseNaN(doc);
    sinkFromTop(heap, score);
    least = heap[0];
  }
  return least;
}

/** Replaces the least of a heap. */
function sinkFromTop(heap: Float64Array, score: number): void {
  const size = heap.length;
  let place = 0;
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

/** Quicksort by descending score, ascending position; insertion where few are left. */
function sortRange(pairs: Selection, from: number, to: number): void {
  let low = from;
  let high = to;
  while (high - low > 16) {
    const cut = partition(pairs, low, high);
    // The smaller side by recursion, the larger by going on: the stack stays logarithmic.
    if (cut - low < high - cut) {
      sortRange(pairs, low, cut);
      low = cut + 1;
    } else {
      sortRange(pairs, cut + 1, high);
      high = cut;
    }
  }
  insertionSort(pairs, low, high);
}

/** Hoare's partition around the middle element: low … cut come before cut + 1 … high. */
function partition(pairs: Selection, low: number, high: number): number {
  const { docs, scores } = pairs;
  const middle = (low + high) >> 1;
  const doc = docs[middle];
  const score = scores[middle];
  let i = low;
  let j = high;
  for (;;) {
    while (scores[i] > score || (scores[i] === score && docs[i] < doc)) i++;
    while (scores[j] < score || (scores[j] === score && docs[j] > doc)) j--;
    if (i >= j) return j;
    swap(pairs, i++, j--);
  }
}

function insertionSort({ docs, scores }: Selection, low: number, high: number): void {
  for (let i = low + 1; i <= high; i++) {
    const doc = docs[i];
    const score = scores[i];
    let j = i - 1;
    for (; j >= low && (scores[j] < score || (scores[j] === score && docs[j] > doc)); j--) {
      docs[j + 1] = docs[j];
      scores[j + 1] = scores[j];
    }
    docs[j + 1] = doc;
    scores[j + 1] = score;
  }
}

function refuseNaN(position: number): never {
  throw new TenbinError('not-finite', {
    what: 'A score is not a number',
    value: `NaN for the document at position ${position}`,
    fix: 'NaN has no place in a ranking: look for a zero vector, an overflow or a damaged model file.',
  });
}
