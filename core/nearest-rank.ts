/**
 * The least value that at least that share of all do not exceed, of values in ascending order: a value that is there, and
 * no mean of two. `share` is above 0 and at most 1. Undefined of nothing.
 */
export function nearestRank(sorted: ArrayLike<number>, share: number): number | undefined {
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1];
}
