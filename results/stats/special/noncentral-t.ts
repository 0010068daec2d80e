import { normalCdf } from './normal.js';
import { stirlingError } from './stirling.js';

export interface NoncentralT {
  /** Degrees of freedom, ≥ 1. */
  readonly df: number;
  /** The mean of the normal part. */
  readonly shift: number;
}

/** Parts of the density below e^−44 = 8e-20 of its peak are left out. */
const reach = 44;

/** Beyond this shift the even grid of few degrees of freedom would be too fine. */
const farShift = 50;

/**
 * P(T > t) for T = (Z + shift) / S, where S = √(χ²/df). That is the mean of Φ(shift − t·S) over S, taken by the
 * trapezoidal rule over u = ln S: the integrand is analytic and falls off fast on both sides, so the rule converges
 * exponentially (Trefethen and Weideman 2014), and all terms are positive. The density of u is
 * √(df/π) e^−δ exp(df (u − (e²ᵘ − 1)/2)), δ being what Stirling's formula leaves out of (df/2)!.
 * About 1e-13 relative for |shift| ≤ 50, absolute beyond. About 80 terms at df = 50, some thousand at worst.
 */
export function noncentralUpper(t: number, { df, shift }: NoncentralT): number {
  if (Math.abs(shift) > farShift) {
    if (t < 0) return 1 - noncentralUpper(-t, { df, shift: -shift });
    // T > t would need S beyond 10, or does need Z beyond 50: less than 1e-22 either way.
    if (shift > 10 * t + farShift) return 1;
    if (shift < 0) return 0;
  }
  const integral = Math.abs(shift) > farShift && df < 10 ? overClusteredGrid(t, df, shift) : overEvenGrid(t, df, shift);
  return Math.min(1, Math.sqrt(df / Math.PI) * Math.exp(-stirlingError(df / 2)) * integral);
}

const weightAt = (u: number, df: number): number => df * (u - Math.expm1(2 * u) / 2);

/** The step resolves both the density, of width 1/√(2 df), and the Φ, of width 1/shift. */
function overEvenGrid(t: number, df: number, shift: number): number {
  const step = Math.min(1 / Math.sqrt(18 * df), 1 / (8 + 2 * Math.abs(shift)));
  const term = (u: number): number => Math.exp(weightAt(u, df)) * normalCdf(shift - t * Math.exp(u));
  let sum = term(0);
  for (let k = 1; weightAt(k * step, df) > -reach; k++) sum += term(k * step);
  for (let k = -1; weightAt(k * step, df) > -reach; k--) sum += term(k * step);
  return step * sum;
}

/** u = ln(shift/t) + sinh(v)/shift: dense where the Φ falls, wide where the density alone is left. v > 4 has no Φ left. */
function overClusteredGrid(t: number, df: number, shift: number): number {
  const step = 1 / 64;
  const centre = Math.log(shift / t);
  let sum = 0;
  for (let v = 4; ; v -= step) {
    const u = centre + Math.sinh(v) / shift;
    if (u < 0 && weightAt(u, df) < -reach) return step * sum;
    sum += (Math.exp(weightAt(u, df)) * normalCdf(shift - t * Math.exp(u)) * Math.cosh(v)) / shift;
  }
}
