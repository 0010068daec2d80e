import { requireOrdered, requireSameLength } from '../finite.js';

/** Two lists of values of the same items, in the same order. */
export type Values = ArrayLike<number>;

/** Places from the largest value down, runs of equal values as [start, end). */
export interface TieRuns {
  readonly order: readonly number[];
  readonly runs: readonly (readonly [number, number])[];
}

/** Refuses lists of different lengths (`refused`) and NaN (`not-finite`). Infinities order as numbers. */
export function requireComparable(x: Values, y: Values): void {
  requireSameLength(x, y);
  requireOrdered(x, 'values of the first list');
  requireOrdered(y, 'values of the second list');
}

export function tieRuns(values: Values): TieRuns {
  const order = Array.from({ length: values.length }, (_, i) => i);
  order.sort((i, j) => (values[i] > values[j] ? -1 : values[i] < values[j] ? 1 : 0));
  const runs: [number, number][] = [];
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && values[order[end]] === values[order[start]]) end++;
    runs.push([start, end]);
  }
  return { order, runs };
}

/** Ranks from 1 for the largest, equal values sharing the mean of their places. */
export function averageRanks(values: Values): Float64Array {
  return ranksBy(values, (start, end) => (start + 1 + end) / 2);
}

/** Ranks from 1 for the largest, equal values sharing the first of their places. */
export function firstRanks(values: Values): Float64Array {
  return ranksBy(values, (start) => start + 1);
}

function ranksBy(values: Values, rankOf: (start: number, end: number) => number): Float64Array {
  const ranks = new Float64Array(values.length);
  const { order, runs } = tieRuns(values);
  for (const [start, end] of runs) {
    for (let place = start; place < end; place++) ranks[order[place]] = rankOf(start, end);
  }
  return ranks;
}

/** Pairs of equal values. */
export function tiedPairs(values: Values): number {
  return tieRuns(values).runs.reduce((pairs, [start, end]) => pairs + ((end - start) * (end - start - 1)) / 2, 0);
}
