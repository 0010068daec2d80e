import type { Awaitable } from '../system.js';
import type { Errors } from './candidates.js';

/**
 * A quick look at all rows for several queries together, which gives values near the scores by a proven bound: for each
 * query q of those asked, |score − offset − unit[q] · scale[doc] · value| ≤ unit[q] · slack[q] · spread[doc]. Here score
 * is what the exact pass computes, its own rounding included, and offset is the same for all documents.
 */
export interface QuickPass<Answer extends Awaitable<BlockValues> = BlockValues> {
  readonly errors: Errors;
  /** Queries that are asked together at most. */
  readonly mostQueries: number;
  readonly ask: (queries: Int32Array) => QuickQueries<Answer>;
}

export interface QuickQueries<Answer extends Awaitable<BlockValues> = BlockValues> {
  readonly units: Float64Array;
  /** Not finite where there is no bound: that query is not told apart. */
  readonly slacks: Float64Array;
  readonly blocks: readonly RowBlock[];
  /** The values of a block, query after query, each `stride` long; gone with the next call. */
  readonly valuesOf: (block: RowBlock) => Answer;
}

/** Rows that are looked at together. */
export interface RowBlock {
  readonly firstDoc: number;
  readonly count: number;
}

export interface BlockValues {
  readonly values: Int32Array | Float32Array;
  readonly stride: number;
}
