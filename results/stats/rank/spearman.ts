import { averageRanks, requireComparable, type Values } from './ranks.js';

/**
 * Spearman's rank correlation: Pearson's of the ranks, equal values sharing their mean rank. Null where one side is
 * constant or there are fewer than two items. O(n log n).
 */
export function spearman(x: Values, y: Values): number | null {
  requireComparable(x, y);
  const a = centredRanks(x);
  const b = centredRanks(y);
  const both = dot(a, b);
  const size = dot(a, a) * dot(b, b);
  return size === 0 ? null : both / Math.sqrt(size);
}

/** The mean of n ranks is (n + 1)/2 however they tie, so these are halves and their products exact. */
function centredRanks(values: Values): Float64Array {
  return averageRanks(values).map((rank) => rank - (values.length + 1) / 2);
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
