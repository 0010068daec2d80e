import { TenbinError } from '../../../core/errors.js';

const densityAtZero = 1 / Math.sqrt(2 * Math.PI);

/** Below this the series, above it the continued fraction: both reach 1e-14 relative here. */
const seriesLimit = 2;

/** The standard normal density. */
export function normalDensity(x: number): number {
  return densityAtZero * Math.exp((-x * x) / 2);
}

/** P(Z ≤ x), with relative accuracy in the lower tail and absolute in the upper: use `normalUpper` there. */
export function normalCdf(x: number): number {
  if (Math.abs(x) < seriesLimit) return 0.5 + aboveCentre(x);
  return x < 0 ? farTail(-x) : 1 - farTail(x);
}

/** P(Z > x), with relative accuracy in the upper tail. */
export function normalUpper(x: number): number {
  return normalCdf(-x);
}

/** Φ(x) − ½ as φ(x) · (x + x³/3 + x⁵/15 + …): all terms have one sign (Marsaglia 2004, Evaluating the normal distribution). */
function aboveCentre(x: number): number {
  let term = x;
  let sum = x;
  for (let k = 3; Math.abs(term) > 1e-18; k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return normalDensity(x) * sum;
}

/** Laplace's continued fraction, φ(x) / (x + 1/(x + 2/(x + …))), from its far end (Abramowitz and Stegun 26.2.14). */
function farTail(x: number): number {
  let fraction = x;
  for (let k = Math.ceil(20 + 300 / (x * x)); k > 0; k--) fraction = x + k / fraction;
  return normalDensity(x) / fraction;
}

/**
 * The x with P(Z ≤ x) = p: a rational start (Abramowitz and Stegun 26.2.23, off by 4.5e-4 at most) and two steps of
 * Halley, each of which triples the digits. ±Infinity at 0 and 1; a p outside [0, 1] is `refused`.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw notAProbability(p);
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 0.5) return 0;
  const t = Math.sqrt(-2 * Math.log(p));
  const over = 2.515517 + t * (0.802853 + t * 0.010328);
  const under = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return halley(p, halley(p, over / under - t));
}

function halley(p: number, x: number): number {
  const step = (normalCdf(x) - p) / normalDensity(x);
  return x - step / (1 + (x * step) / 2);
}

/** The error for a number that should be a probability. */
export function notAProbability(p: number): TenbinError {
  return new TenbinError('refused', {
    what: 'A probability lies between 0 and 1',
    value: String(p),
    fix: 'Pass a number between 0 and 1.',
  });
}
