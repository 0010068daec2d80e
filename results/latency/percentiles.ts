import { binomialCdf } from '../stats/special/binomial.js';

export const percentileShares = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;
export type PercentileName = keyof typeof percentileShares;

interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * The interval of a percentile between two order statistics (Hahn and Meeker 1991, 5.2), whatever the distribution is:
 * how many of n values lie below the true percentile is binomial. At most half of what is left out lies on each side.
 * Null where so few values have no such order statistic: the 99th percentile of fewer than 368 has no upper end at 95 %.
 */
export function percentileRange(ascending: Float64Array, share: number, confidence = 0.95): Range | null {
  const tail = (1 - confidence) / 2;
  const ranks = rangeRanks(ascending.length, share, tail);
  return ranks === null ? null : { low: ascending[ranks.low - 1], high: ascending[ranks.high - 1] };
}

/** The greatest rank l with P(B < l) ≤ tail and the least rank u with P(B ≥ u) ≤ tail, of B binomial; 1-based. */
export function rangeRanks(n: number, share: number, tail: number): { low: number; high: number } | null {
  const atMost = (successes: number) => binomialCdf(successes, { trials: n, chance: share });
  const first = firstWhere(n, (rank) => atMost(rank - 1) > tail);
  const low = first - 1;
  const high = firstWhere(n, (rank) => 1 - atMost(rank - 1) <= tail);
  return low < 1 || high > n ? null : { low, high };
}

/** The least rank from 1 on for which it holds, n + 1 where it holds for none; it holds for all ranks above it. */
function firstWhere(n: number, holds: (rank: number) => boolean): number {
  let [low, high] = [1, n + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
