import { requireFinite, requireShare } from './finite.js';
import { moments } from './moments.js';
import { studentTwoSided, upperQuantile } from './special/student-t.js';

/** A paired t-test; what is undefined (below two deltas, or without spread) is null. */
export interface PairedT {
  readonly mean: number | null;
  readonly sd: number | null;
  readonly t: number | null;
  readonly df: number | null;
  /** Two-sided. */
  readonly p: number | null;
  /** The confidence interval of the mean, in the unit of the deltas. */
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Student's t over per-query deltas: t = mean / (sd/√n) with n − 1 degrees of freedom (Student 1908). NaN and
 * infinities are refused (`not-finite`), and a confidence outside (0, 1) (`refused`).
 */
export function pairedT(deltas: Float64Array, confidence = 0.95): PairedT {
  requireFinite(deltas, 'deltas');
  requireShare(confidence, 'confidence');
  const { n, mean, sd, isConstant } = moments(deltas);
  const df = n < 2 ? null : n - 1;
  if (mean === null || sd === null || df === null || isConstant) {
    return { mean, sd, t: null, df, p: null, low: null, high: null };
  }
  const error = sd / Math.sqrt(n);
  const margin = upperQuantile((1 - confidence) / 2, df) * error;
  const t = mean / error;
  return { mean, sd, t, df, p: studentTwoSided(t, df), low: mean - margin, high: mean + margin };
}
