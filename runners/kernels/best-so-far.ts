import { type Pairs, quickselect, sortRange } from './scored-pairs.js';

/** The best k of what came so far, and all that is tied with the k-th. */
export interface BestSoFar {
  /** A score that k documents reach; -Infinity while there are fewer than k. */
  readonly floor: () => number;
  /** Takes in documents with their scores, none of them NaN, each document once in all. */
  readonly add: (found: Pairs) => void;
  /** By descending score, ascending position inside a tie. */
  readonly sorted: () => Pairs;
}

export function bestSoFar(k: number): BestSoFar {
  let kept: Pairs = { docs: new Int32Array(0), scores: new Float64Array(0) };
  let floor = -Infinity;
  const add = (found: Pairs): void => {
    const both = joined(kept, found);
    const count = both.docs.length;
    if (count < k) {
      kept = both;
      return;
    }
    floor = quickselect(both, count, count - k);
    let end = 0;
    for (let i = 0; i < count; i++) {
      if (both.scores[i] < floor) continue;
      both.docs[end] = both.docs[i];
      both.scores[end++] = both.scores[i];
    }
    kept = { docs: both.docs.subarray(0, end), scores: both.scores.subarray(0, end) };
  };
  const sorted = (): Pairs => {
    const copy = joined(kept, { docs: new Int32Array(0), scores: new Float64Array(0) });
    sortRange(copy, 0, copy.docs.length - 1);
    return copy;
  };
  return { floor: () => floor, add: k > 0 ? add : () => {}, sorted };
}

function joined(a: Pairs, b: Pairs): Pairs {
  const docs = new Int32Array(a.docs.length + b.docs.length);
  const scores = new Float64Array(docs.length);
  docs.set(a.docs);
  docs.set(b.docs, a.docs.length);
  scores.set(a.scores);
  scores.set(b.scores, a.scores.length);
  return { docs, scores };
}
