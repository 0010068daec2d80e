import type { Fused } from '../runners/fuse.js';
import type { SafeguardPolicy } from './options.js';

export interface SafeguardRequest {
  /** The whole fusion of both lists, of which the pool is the beginning. */
  readonly fused: Fused;
  readonly size: number;
  readonly policy: SafeguardPolicy;
  /** Grades by document position. */
  readonly grades: ReadonlyMap<number, number>;
  /** Place of each document in keyed-hash order. */
  readonly places: Int32Array;
}

/** A pool's rows by document position, and which of them the safeguard put in. */
export interface PoolRows {
  readonly docs: readonly number[];
  readonly scores: readonly number[];
  readonly forced: readonly number[];
}

/**
 * Below every score of a fusion, which is above 0: a forced row is surely last, is tied with nothing, and says by its
 * score that no list put it there.
 */
export const forcedScore = 0;

/**
 * The best `size` of a fusion. Where none of them is relevant, one positive is forced in: after the last row
 * (`append`), or in place of the last (`replace`): with no positive among them, that is the last non-relevant one.
 */
export function safeguard({ fused, size, policy, grades, places }: SafeguardRequest): PoolRows {
  const docs = [...fused.docs.subarray(0, size)];
  const scores = [...fused.scores.subarray(0, size)];
  const covered = docs.some((doc) => (grades.get(doc) ?? 0) > 0);
  const chosen = covered || policy === 'none' ? undefined : bestPositive(fused, grades, places);
  if (chosen === undefined) return { docs, scores, forced: [] };
  const kept = policy === 'replace' ? Math.max(0, Math.min(docs.length, size - 1)) : docs.length;
  return {
    docs: [...docs.slice(0, kept), chosen],
    scores: [...scores.slice(0, kept), forcedScore],
    forced: [chosen],
  };
}

/** The highest grade; then the best rank in the whole fusion, documents outside it last; then the keyed hash. */
function bestPositive(fused: Fused, grades: ReadonlyMap<number, number>, places: Int32Array): number | undefined {
  const ranks = new Map([...fused.docs].map((doc, rank) => [doc, rank]));
  const rankOf = (doc: number) => ranks.get(doc) ?? fused.docs.length;
  const positives = [...grades].filter(([, grade]) => grade > 0);
  positives.sort(([a, gradeA], [b, gradeB]) => gradeB - gradeA || rankOf(a) - rankOf(b) || places[a] - places[b]);
  return positives[0]?.[0];
}
