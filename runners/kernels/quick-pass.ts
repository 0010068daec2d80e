import type { Awaitable } from '../system.js';

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
  /** The values of a block; gone with the next call. */
  readonly valuesOf: (block: RowBlock) => Answer;
}

/** Rows that are looked at together. */
export interface RowBlock {
  readonly firstDoc: number;
  readonly count: number;
}

/** Query after query, each `stride` long. */
export interface BlockValues {
  readonly values: Int32Array | Float32Array;
  readonly stride: number;
  /** How many values of a query are at least `lowest`, maybe one or two that are not; `places` begins with where. */
  readonly above: (query: number, lowest: number) => number;
  readonly places: Int32Array;
}

/** Values that lie in plain memory. */
export function plainValues(values: Int32Array | Float32Array, stride: number): BlockValues {
  const places = new Int32Array(stride);
  const above = (query: number, lowest: number): number => {
    let found = 0;
    for (let i = 0, at = query * stride; i < stride; i++, at++) if (values[at] >= lowest) places[found++] = i;
    return found;
  };
  return { values, stride, above, places };
}

/** What values mean, document by document; none is negative. */
export interface Errors {
  readonly scale: Float64Array;
  readonly spread: Float64Array;
  readonly leastScale: number;
  readonly greatestScale: number;
  readonly greatestSpread: number;
}

export function errorsOf(scale: Float64Array, spread: Float64Array): Errors {
  return { scale, spread, leastScale: least(scale), greatestScale: greatest(scale), greatestSpread: greatest(spread) };
}

function least(values: Float64Array): number {
  return values.reduce((found, value) => Math.min(found, value), Number.POSITIVE_INFINITY);
}

function greatest(values: Float64Array): number {
  return values.reduce((found, value) => Math.max(found, value), 0);
}
