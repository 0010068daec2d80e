import { nearestRank } from './nearest-rank.js';

/** Of a number that each of many has. Percentiles by nearest rank. */
export interface Distribution {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** All 0 of nothing. */
export function distributionOf(values: ArrayLike<number>): Distribution {
  const { length } = values;
  if (length === 0) return { mean: 0, p50: 0, p95: 0, max: 0 };
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => nearestRank(sorted, share) ?? 0;
  return { mean: sorted.reduce((sum, value) => sum + value, 0) / length, p50: at(0.5), p95: at(0.95), max: at(1) };
}
