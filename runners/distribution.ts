import type { Distribution } from './types.js';

/** Percentiles by nearest rank: the least value that at least that share of all do not exceed. All 0 of nothing. */
export function distributionOf(values: ArrayLike<number>): Distribution {
  const { length } = values;
  if (length === 0) return { mean: 0, p50: 0, p95: 0, max: 0 };
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.ceil(share * length) - 1];
  return { mean: sorted.reduce((sum, value) => sum + value, 0) / length, p50: at(0.5), p95: at(0.95), max: at(1) };
}
