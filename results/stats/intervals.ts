import type { Interval } from './bootstrap.js';
import { requireFinite, requireShare } from './finite.js';
import { moments, powerOfTwo } from './moments.js';
import { quantileInPlace } from './quantile.js';
import { normalCdf, normalQuantile } from './special/normal.js';

/** A BCa interval and what it was made from. */
export interface BcaInterval extends Interval {
  /** z₀: the normal quantile of the share of the distribution below the mean, equal ones by half. */
  readonly bias: number;
  readonly acceleration: number;
  /** The levels of the bootstrap distribution at which the ends were read. */
  readonly lowLevel: number;
  readonly highLevel: number;
}

/**
 * The bias-corrected and accelerated interval of the mean (Efron 1987). `distribution` is that of bootstrapMeans over
 * the same values; the acceleration is the jackknife's, which for a mean is Σ(x − m)³ / (6 (Σ(x − m)²)^1.5). Null where
 * it is undefined: all values equal, fewer than two, or the mean at the edge of the distribution. NaN is `not-finite`.
 */
export function bcaInterval(values: Float64Array, distribution: Float64Array, confidence = 0.95): BcaInterval | null {
  requireFinite(values, 'values');
  requireFinite(distribution, 'bootstrap means');
  requireShare(confidence, 'confidence');
  if (moments(values).isConstant) return null;
  const share = shareBelow(distribution, values.reduce((sum, value) => sum + value, 0) / values.length);
  if (!(share > 0 && share < 1)) return null;
  const bias = normalQuantile(share);
  const acceleration = accelerationOf(values);
  const z = normalQuantile((1 - confidence) / 2);
  const lowLevel = levelAt(bias + z, { bias, acceleration });
  const highLevel = levelAt(bias - z, { bias, acceleration });
  const scratch = distribution.slice();
  const low = quantileInPlace(scratch, lowLevel);
  return { low, high: quantileInPlace(scratch, highLevel), bias, acceleration, lowLevel, highLevel };
}

/** Compared digit by digit: the bootstrap adds in the order of the draws, so equal sums may differ in the last digit. */
function shareBelow(distribution: Float64Array, mean: number): number {
  const twice = distribution.reduce((count, draw) => count + (draw < mean ? 2 : draw === mean ? 1 : 0), 0);
  return twice / (2 * distribution.length);
}

function accelerationOf(values: Float64Array): number {
  const unit = powerOfTwo(values);
  const scaled = values.map((value) => value / unit);
  const mean = scaled.reduce((sum, value) => sum + value, 0) / scaled.length;
  const squares = scaled.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return scaled.reduce((sum, value) => sum + (value - mean) ** 3, 0) / (6 * squares ** 1.5);
}

/** Φ(z₀ + w / (1 − a w)). Where a wide interval passes the pole of the correction, it ends at the last draw. */
function levelAt(w: number, { bias, acceleration }: { readonly bias: number; readonly acceleration: number }): number {
  const under = 1 - acceleration * w;
  return under > 0 ? normalCdf(bias + w / under) : w > 0 ? 1 : 0;
}
