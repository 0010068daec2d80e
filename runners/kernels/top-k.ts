import { TenbinError } from '../../core/errors.js';
import { type Pairs, quickselect, sortRange, swap } from './scored-pairs.js';

/** The best of a row of scores, by descending score, ascending position inside a tie. */
export type Selection = Pairs;

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
  return { docs: scratch.docs, scores: scratch.scores, start, end: count };
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

function refuseNaN(position: number): never {
  throw new TenbinError('not-finite', {
    what: 'A score is not a number',
    value: `NaN for the document at position ${position}`,
    fix: 'NaN has no place in a ranking: look for a zero vector, an overflow or a damaged model file.',
    cause: { position },
  });
}
