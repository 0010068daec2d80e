import type { BlockValues, Errors, RowBlock } from './quick-pass.js';
import { type Pairs, quickselect } from './scored-pairs.js';

/**
 * Which documents may be among the best k, from quick scores of known error. The true score of document d lies within
 * value · scale[d] ± slack · spread[d] (in any unit, as long as it is the same for all). Once k documents have a lower
 * end of at least L, a document whose upper end is below L is worse than k others, so it is neither among the best k nor
 * tied with the k-th; every other document is kept, and what is kept is scored exactly.
 */
export interface Candidates {
  /** Takes in the values that a block's documents have for one of the queries that were asked together. */
  readonly admit: (answer: BlockValues, query: number, block: RowBlock) => void;
  /** What may be among the best k, in any order; null where that is too much to tell: then all have to be scored. */
  readonly survivors: () => Int32Array | null;
}

export interface CandidateRules {
  readonly k: number;
  /** Not finite where nothing is known of the error: then nothing is told apart. */
  readonly slack: number;
  /** A true score that k documents are known to reach already, -Infinity where there is none. */
  readonly floor: number;
  /** More survivors than this are too many. */
  readonly most: number;
}

const nobody: Candidates = { admit: () => {}, survivors: () => null };

export function candidatesOf(errors: Errors, { k, slack, floor, most }: CandidateRules): Candidates {
  const { scale, spread } = errors;
  if (!Number.isFinite(slack) || k > most) return nobody;
  let kept: Pairs = pairsOf(2 * k + 256);
  let count = 0;
  let least = floor;

  /** Raises `least` to the k-th greatest lower end and drops what cannot reach it. */
  const shrink = (): void => {
    if (count <= k) return;
    least = Math.max(least, quickselect(kept, count, count - k));
    let end = 0;
    for (let i = 0; i < count; i++) {
      if (!(kept.scores[i] + 2 * slack * spread[kept.docs[i]] >= least)) continue;
      kept.docs[end] = kept.docs[i];
      kept.scores[end++] = kept.scores[i];
    }
    count = end;
  };

  const makeRoom = (): void => {
    shrink();
    // Where many are near the k-th, shrinking soon drops little: room for twice as many keeps its cost in proportion.
    if (2 * count > kept.docs.length) kept = grown(kept);
  };

  const admit = (
    { values, stride, above, places }: BlockValues,
    query: number,
    { firstDoc, count: docs }: RowBlock,
  ) => {
    const found = above(query, lowestValue(errors, slack, least));
    for (let n = 0; n < found; n++) {
      const place = places[n];
      // Behind the documents of the last block there is padding.
      if (place >= docs) return;
      const middle = values[query * stride + place] * scale[firstDoc + place];
      const error = slack * spread[firstDoc + place];
      if (!(middle + error >= least)) continue;
      if (count === kept.docs.length) makeRoom();
      kept.docs[count] = firstDoc + place;
      kept.scores[count++] = middle - error;
    }
  };

  const survivors = (): Int32Array | null => {
    shrink();
    return count > most ? null : kept.docs.slice(0, count);
  };
  return { admit, survivors };
}

function pairsOf(length: number): Pairs {
  return { docs: new Int32Array(length), scores: new Float64Array(length) };
}

function grown({ docs, scores }: Pairs): Pairs {
  const larger = pairsOf(2 * docs.length);
  larger.docs.set(docs);
  larger.scores.set(scores);
  return larger;
}

/** A value below it does not reach `least` in any document: value · scale would have to be at least `rest`. */
function lowestValue({ leastScale, greatestScale, greatestSpread }: Errors, slack: number, least: number): number {
  const rest = least - slack * greatestSpread;
  if (rest > 0) return rest / greatestScale;
  return leastScale > 0 ? rest / leastScale : -Infinity;
}
