import { requireFinite, requireShare } from './finite.js';
import { moments } from './moments.js';
import { noncentralUpper } from './special/noncentral-t.js';
import { normalCdf, normalQuantile } from './special/normal.js';
import { rootBetween } from './special/root.js';
import { upperQuantile } from './special/student-t.js';

export interface Errors {
  /** The chance of a false alarm of the two-sided test. */
  readonly alpha: number;
  /** The chance of seeing a true effect; above alpha. */
  readonly power: number;
}

/** Cohen's d of paired values, mean(d) / sd(d), without a unit; null below two deltas or without spread. */
export function cohenDz(deltas: Float64Array): number | null {
  requireFinite(deltas, 'deltas');
  const { mean, sd, isConstant } = moments(deltas);
  return mean === null || sd === null || isConstant ? null : mean / sd;
}

/** The power of the paired two-sided t-test over n ≥ 2 deltas whose true mean is `dz` standard deviations. */
export function powerOfPairedT(dz: number, { n, alpha }: { readonly n: number; readonly alpha: number }): number {
  return powerBeyond(dz, n, upperQuantile(alpha / 2, n - 1));
}

function powerBeyond(dz: number, n: number, critical: number): number {
  const shift = dz * Math.sqrt(n);
  const df = n - 1;
  return noncentralUpper(critical, { df, shift }) + noncentralUpper(critical, { df, shift: -shift });
}

/**
 * The least true mean that the paired t-test over n deltas of standard deviation `sd` finds with this power, in the
 * unit of sd; from the noncentral t. Null below two deltas and without spread; shares outside (0, 1) are `refused`.
 */
export function minimumDetectableEffect(plan: Errors & { readonly n: number; readonly sd: number }): number | null {
  const { n, sd, alpha, power } = plan;
  requireErrors(plan);
  if (n < 2 || !(sd > 0)) return null;
  if (power <= alpha) return 0;
  const critical = upperQuantile(alpha / 2, n - 1);
  const lack = (dz: number): number => powerBeyond(dz, n, critical) - power;
  let high = -(normalQuantile(alpha / 2) + normalQuantile(1 - power)) / Math.sqrt(n);
  while (lack(high) < 0) high *= 2;
  return sd * rootBetween(lack, 0, high);
}

/** Above this many queries the normal formula is used, which then differs by less than one query. */
const normalFrom = 1_000_000;

/**
 * The fewest queries with which the paired t-test finds a true mean of `effect` (same unit as sd) with this power. Null
 * where nothing decides: no effect, or no spread. Shares outside (0, 1) are `refused`.
 */
export function queriesNeeded(plan: Errors & { readonly sd: number; readonly effect: number }): number | null {
  const { sd, effect, alpha, power } = plan;
  requireErrors(plan);
  requireFinite([effect], 'effects');
  if (effect === 0 || !(sd > 0)) return null;
  const dz = Math.abs(effect) / sd;
  const guess = normalQueries(dz, plan);
  if (guess > normalFrom) return Math.ceil(guess);
  const decides = (n: number): boolean => powerOfPairedT(dz, { n, alpha }) >= power;
  let high = Math.max(2, Math.ceil(guess));
  while (!decides(high)) high *= 2;
  return leastThat(decides, 2, high);
}

/**
 * (shift / dz)² + z²_{α/2} / 2, where a normal test of that shift has the power, on both sides; the second term is the
 * t-test's due (Guenther 1981).
 */
function normalQueries(dz: number, { alpha, power }: Errors): number {
  const z = -normalQuantile(alpha / 2);
  const lack = (shift: number): number => normalCdf(shift - z) + normalCdf(-shift - z) - power;
  const shift = power <= alpha ? 0 : rootBetween(lack, 0, Math.max(z + normalQuantile(power), 1e-300));
  return (shift / dz) ** 2 + z ** 2 / 2;
}

/** The least whole number of [low, high] that holds, where all above one that holds do and `high` does. */
function leastThat(holds: (n: number) => boolean, low: number, high: number): number {
  if (low >= high) return high;
  const middle = Math.floor((low + high) / 2);
  return holds(middle) ? leastThat(holds, low, middle) : leastThat(holds, middle + 1, high);
}

function requireErrors({ alpha, power, sd }: Errors & { readonly sd: number }): void {
  requireShare(alpha, 'alpha');
  requireShare(power, 'power');
  requireFinite([sd], 'standard deviations');
}
