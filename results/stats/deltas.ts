import { requireFinite, requireSameLength } from './finite.js';
import { moments, tolerance } from './moments.js';
import { quantileInPlace } from './quantile.js';

/** Per-query deltas at a glance, in the unit of the measure; null where there are none. */
export interface DeltaSummary {
  readonly n: number;
  readonly mean: number | null;
  readonly median: number | null;
  /** Type-7 percentiles. */
  readonly percentiles: {
    readonly p5: number;
    readonly p25: number;
    readonly p75: number;
    readonly p95: number;
  } | null;
  readonly improved: number;
  /** |delta| ≤ 1e-12. */
  readonly tied: number;
  readonly regressed: number;
  /** Positions of the regressed, most negative first, equal ones by position. */
  readonly worst: readonly number[];
}

/** candidate − base, query by query. Lists of different lengths are `refused`. */
export function pairedDeltas(base: Float64Array, candidate: Float64Array): Float64Array {
  requireSameLength(base, candidate);
  return candidate.map((value, i) => value - base[i]);
}

/** The summary, with at most `worst` regressed positions. NaN and infinities are refused (`not-finite`). */
export function summarizeDeltas(deltas: Float64Array, worst = 10): DeltaSummary {
  requireFinite(deltas, 'deltas');
  const { n, mean } = moments(deltas);
  const improved = deltas.reduce((count, delta) => count + (delta > tolerance ? 1 : 0), 0);
  const regressed = [...deltas.keys()].filter((i) => deltas[i] < -tolerance);
  const scratch = deltas.slice();
  const at = (q: number): number => quantileInPlace(scratch, q);
  return {
    n,
    mean,
    median: n === 0 ? null : at(0.5),
    percentiles: n === 0 ? null : { p5: at(0.05), p25: at(0.25), p75: at(0.75), p95: at(0.95) },
    improved,
    tied: n - improved - regressed.length,
    regressed: regressed.length,
    worst: regressed.sort((i, j) => deltas[i] - deltas[j] || i - j).slice(0, worst),
  };
}
