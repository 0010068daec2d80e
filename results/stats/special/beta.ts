import { deviance, stirlingError } from './stirling.js';

export interface BetaArguments {
  readonly a: number;
  readonly b: number;
  readonly x: number;
  /** 1 − x, which the caller knows to more digits than the subtraction would leave. */
  readonly y: number;
}

const tiny = 1e-300;
const precision = 2 ** -53;

/**
 * The regularized incomplete beta function Iₓ(a, b) for a, b > 0 and x in [0, 1]: the continued fraction DLMF 8.17.22
 * by the method of Lentz (Thompson and Barnett 1986), on whichever side of the mean it converges fast, in about
 * √max(a, b) steps. About 1e-13 relative.
 */
export function incompleteBeta({ a, b, x, y }: BetaArguments): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - lower({ a: b, b: a, x: y, y: x });
  return lower({ a, b, x, y });
}

function lower(of: BetaArguments): number {
  return (power(of) / of.a) * continuedFraction(of);
}

/** xᵃ yᵇ / B(a, b), by what Stirling leaves out and two deviances: no large logarithm is subtracted (Loader 2000). */
function power({ a, b, x, y }: BetaArguments): number {
  const n = a + b;
  const left = stirlingError(n) - stirlingError(a) - stirlingError(b);
  const logarithm = left - deviance(a, n * x) - deviance(b, n * y);
  return Math.sqrt((a * b) / (2 * Math.PI * n)) * Math.exp(logarithm);
}

function continuedFraction({ a, b, x }: BetaArguments): number {
  let c = 1;
  let d = inverse(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; ; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = inverse(1 + even * d);
    c = awayFromZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = inverse(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) <= 2 * precision || m > 1_000_000) return value;
  }
}

const awayFromZero = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
const inverse = (value: number): number => 1 / awayFromZero(value);
