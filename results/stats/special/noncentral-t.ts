import { normalCdf } from './normal.js';
import { stirlingError } from './stirling.js';

export interface NoncentralT {
  /** Degrees of freedom, > 0. */
  readonly df: number;
  /** The mean of the normal part. */
  readonly shift: number;
}

/** Parts of the density below e^−44 = 8e-20 of its peak are left out. */
const reach = 44;

/**
 * P(T > t) for T = (Z + shift) / S, where S = √(χ²/df). That is the mean of Φ(shift − t·S) over S, taken by the
 * trapezoidal rule over u = ln S: the integrand is analytic and falls off fast on both sides, so the rule converges
 * exponentially (Trefethen and Weideman 2014), and all terms are positive. The density of u is
 * √(df/π) e^−δ exp(df (u − (e²ᵘ − 1)/2)), δ being what Stirling's formula leaves out of (df/2)!.
 * About 1e-13 relative; about 60 terms, or about (1 + |t| + |shift|) · 180 / df where those are more.
 */
export function noncentralUpper(t: number, { df, shift }: NoncentralT): number {
  const step = Math.min(1 / Math.sqrt(18 * df), 1 / (4 * (1 + Math.abs(shift))));
  const weightAt = (u: number): number => df * (u - Math.expm1(2 * u) / 2);
  const term = (u: number): number => Math.exp(weightAt(u)) * normalCdf(shift - t * Math.exp(u));
  let sum = term(0);
  for (let k = 1; weightAt(k * step) > -reach; k++) sum += term(k * step);
  for (let k = -1; weightAt(k * step) > -reach; k--) sum += term(k * step);
  return Math.min(1, Math.sqrt(df / Math.PI) * Math.exp(-stirlingError(df / 2)) * step * sum);
}
