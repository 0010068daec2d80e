import { type Linear, type RowDots, rowDots } from './dot.js';
import { type PairHeap, pairHeap } from './pair-heap.js';

/** The links of one level: those of a document are targets[offsets[doc] .. offsets[doc + 1]). */
export interface LevelLinks {
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
}

/** A navigable graph: level 0 first, which holds every document, and the document on the highest where walks begin. */
export interface GraphLinks {
  readonly docCount: number;
  readonly levels: readonly LevelLinks[];
  /** Lists on the levels above the lowest, all documents together: each has room for M links, however many it holds. */
  readonly listsAbove: number;
  readonly entry: number;
}

export interface Walked {
  /** At most `ef` documents, in no order. */
  readonly docs: Int32Array;
  /** Dot products that were computed: each is remembered for as long as the query is looked for. */
  readonly computed: number;
}

export interface GraphWalk {
  /** The nearest documents that a walk of breadth `ef` from the entry meets; every one of them if that many are asked for. */
  readonly walk: (query: Float64Array, ef: number) => Walked;
  /** The dot product of each document that the last walk found, at its position. */
  readonly scores: Float64Array;
}

/**
 * Search in a hierarchical navigable small world (Malkov and Yashunin, TPAMI 2020, Algorithms 2 and 5) by the greatest dot
 * product, step by step as hnswlib takes it: on the levels above a document gives way to its best neighbour as long as that
 * is better; on level 0 the best candidate's neighbours become candidates as long as it is not worse than all `ef` kept.
 * Distances are dot products in float64, where hnswlib rounds 1 − dot product to float32, and the lists are walked in its
 * order: what differs is what that rounding orders otherwise. hnswlib computes some distances again on the levels above.
 */
export function graphWalk(links: GraphLinks, vectors: Float32Array, dims: number): GraphWalk {
  const { docCount } = links;
  const scores = new Float64Array(docCount);
  const scoring = {
    dots: rowDots(vectors, dims),
    scores,
    known: marks(docCount),
    unknown: new Int32Array(mostLinks(links)),
  };
  const ground = { met: marks(docCount), kept: pairHeap(docCount + 1), candidates: pairHeap(docCount + 1) };
  const walk = (weights: Float64Array, ef: number): Walked => {
    if (docCount === 0) return { docs: new Int32Array(0), computed: 0 };
    const scorer = scorerOf({ weights, offset: 0 }, scoring);
    const start = descended(links, scores, scorer.score);
    const docs = bestOnGround(links.levels[0], { ...ground, scores, ef, start, score: scorer.score });
    return { docs, computed: scorer.computed() };
  };
  return { walk, scores };
}

/** Of any document on any level; one at least, since the entry is scored by itself. */
function mostLinks({ levels }: GraphLinks): number {
  const lengths = levels.map(({ offsets }) =>
    offsets.reduce((most, end, i) => Math.max(most, end - (offsets[i - 1] ?? 0)), 0),
  );
  return Math.max(1, ...lengths);
}

/** Which documents were marked since the last `clear`. */
interface Marks {
  readonly clear: () => void;
  /** Whether it was not yet. */
  readonly mark: (doc: number) => boolean;
}

function marks(count: number): Marks {
  const turns = new Int32Array(count);
  let turn = 0;
  return {
    clear: () => {
      turn++;
    },
    mark: (doc) => {
      if (turns[doc] === turn) return false;
      turns[doc] = turn;
      return true;
    },
  };
}

interface Scoring {
  readonly dots: RowDots;
  readonly scores: Float64Array;
  readonly known: Marks;
  /** Scratch for those of a list that are not. */
  readonly unknown: Int32Array;
}

/** Sees to it that the scores of these documents are there. */
type Score = (docs: Int32Array) => void;

/** All neighbours of a document are scored at once, which a kernel does several times as fast as one after the other. */
function scorerOf(query: Linear, { dots, scores, known, unknown }: Scoring) {
  let computed = 0;
  known.clear();
  const score: Score = (docs) => {
    let count = 0;
    for (const doc of docs) if (known.mark(doc)) unknown[count++] = doc;
    computed += count;
    if (count > 0) dots(query, unknown.subarray(0, count), scores);
  };
  return { score, computed: () => computed };
}

function linksOf({ offsets, targets }: LevelLinks, doc: number): Int32Array {
  return targets.subarray(offsets[doc], offsets[doc + 1]);
}

/** Where the walk on level 0 begins: no neighbour on the levels above is better. */
function descended({ levels, entry }: GraphLinks, scores: Float64Array, score: Score): number {
  let best = entry;
  score(Int32Array.of(entry));
  for (let level = levels.length - 1; level > 0; level--) {
    for (let from = -1; from !== best; ) {
      from = best;
      const neighbours = linksOf(levels[level], from);
      score(neighbours);
      for (const doc of neighbours) if (scores[doc] > scores[best]) best = doc;
    }
  }
  return best;
}

interface Ground {
  readonly scores: Float64Array;
  readonly score: Score;
  readonly start: number;
  readonly ef: number;
  /** Who was a candidate. */
  readonly met: Marks;
  /** The worst on top, by minus its score. */
  readonly kept: PairHeap;
  /** The best on top. */
  readonly candidates: PairHeap;
}

function bestOnGround(ground: LevelLinks, { scores, score, start, ef, met, kept, candidates }: Ground): Int32Array {
  met.clear();
  kept.clear();
  candidates.clear();
  const keep = (doc: number): void => {
    candidates.push(scores[doc], doc);
    kept.push(-scores[doc], doc);
    if (kept.size() > ef) kept.pop();
  };
  met.mark(start);
  keep(start);
  while (candidates.size() > 0 && !(candidates.topKey() < -kept.topKey())) {
    const neighbours = linksOf(ground, candidates.pop());
    score(neighbours);
    for (const doc of neighbours) {
      if (met.mark(doc) && (kept.size() < ef || scores[doc] > -kept.topKey())) keep(doc);
    }
  }
  return kept.docs();
}
