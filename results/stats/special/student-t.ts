import { incompleteBeta } from './beta.js';
import { normalQuantile, notAProbability } from './normal.js';
import { rootBetween } from './root.js';

/** P(|T| ≥ |t|) for Student's t with `df` > 0 degrees of freedom, as I_{df/(df+t²)}(df/2, ½) (DLMF 8.17, A&S 26.7.1). */
export function studentTwoSided(t: number, df: number): number {
  const square = (t / Math.sqrt(df)) ** 2;
  if (square === Number.POSITIVE_INFINITY) return 0;
  return incompleteBeta({ a: df / 2, b: 0.5, x: 1 / (1 + square), y: square / (1 + square) });
}

/** P(T > t), with relative accuracy in the upper tail. */
export function studentUpper(t: number, df: number): number {
  const tail = studentTwoSided(t, df) / 2;
  return t >= 0 ? tail : 1 - tail;
}

/** P(T ≤ t), with relative accuracy in the lower tail. */
export function studentCdf(t: number, df: number): number {
  return studentUpper(-t, df);
}

/**
 * The t with P(T ≤ t) = p: the root of the tail, bracketed from the normal quantile on (the tails of t are heavier).
 * ±Infinity at 0 and 1; a p outside [0, 1] is `refused`. For tails down to 1e-150.
 */
export function studentQuantile(p: number, df: number): number {
  if (!(p >= 0 && p <= 1)) throw notAProbability(p);
  if (p < 0.5) return -upperQuantile(p, df);
  return p === 0.5 ? 0 : upperQuantile(1 - p, df);
}

/** The t with P(T > t) = tail, for a tail below ½. */
export function upperQuantile(tail: number, df: number): number {
  if (tail === 0) return Number.POSITIVE_INFINITY;
  const excess = (t: number): number => studentUpper(t, df) - tail;
  let low = 0;
  let high = Math.max(-normalQuantile(tail), Number.EPSILON);
  while (excess(high) > 0) {
    low = high;
    high *= 2;
  }
  return rootBetween(excess, low, high);
}
