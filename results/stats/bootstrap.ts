import { mulberry32 } from '../../core/random.js';
import { quantileInPlace } from './quantile.js';

export interface Resampling {
  readonly resamples: number;
  /** Of a mulberry32 stream: the same seed and length draw the same places, whatever the values are. */
  readonly seed: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Resamples drawn ahead of the sums: the block of places stays in cache and memory does not grow with `resamples`. */
const block = 64;

/**
 * The bootstrap distributions of the means of series of equal length (Efron 1979). Per resample, n draws with
 * replacement, place ⌊u · n⌋. All series see the same draws, so the difference of two distributions is paired. Values
 * are added in the order of the draws: the digits are those of the plain loop. Costs n additions per series and
 * resample, about 1.1 ns each (AMD EPYC, Node 20).
 */
export function bootstrapMeans(series: readonly Float64Array[], plan: Resampling): readonly Float64Array[] {
  const length = series.length === 0 ? 0 : series[0].length;
  const means = series.map(() => new Float64Array(plan.resamples));
  const quads = Array.from({ length: Math.ceil(series.length / 4) }, (_, q) => interleave(series, q * 4, length));
  const uniform = mulberry32(plan.seed);
  const places = new Int32Array(block * length);
  const sums = new Float64Array(4 * block);
  for (let start = 0; start < plan.resamples; start += block) {
    const count = Math.min(block, plan.resamples - start);
    for (let i = 0; i < count * length; i++) places[i] = Math.floor(uniform() * length);
    quads.forEach((quad, q) => {
      sumQuad(quad, { places, length, count }, sums);
      for (let lane = 0; lane < 4 && q * 4 + lane < series.length; lane++) {
        const into = means[q * 4 + lane];
        for (let r = 0; r < count; r++) into[start + r] = sums[r * 4 + lane] / length;
      }
    });
  }
  return means;
}

/** Four series side by side: one place is one cache line, and four sums live in registers. Absent ones are zeros. */
function interleave(series: readonly Float64Array[], first: number, length: number): Float64Array {
  const quad = new Float64Array(4 * length);
  series.slice(first, first + 4).forEach((values, lane) => {
    for (let i = 0; i < length; i++) quad[i * 4 + lane] = values[i];
  });
  return quad;
}

interface Draws {
  readonly places: Int32Array;
  readonly length: number;
  readonly count: number;
}

function sumQuad(quad: Float64Array, { places, length, count }: Draws, sums: Float64Array): void {
  for (let r = 0; r < count; r++) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = r * length; i < (r + 1) * length; i++) {
      const at = places[i] * 4;
      a += quad[at];
      b += quad[at + 1];
      c += quad[at + 2];
      d += quad[at + 3];
    }
    sums[r * 4] = a;
    sums[r * 4 + 1] = b;
    sums[r * 4 + 2] = c;
    sums[r * 4 + 3] = d;
  }
}

/** The two-sided percentile interval of a bootstrap distribution; `tail` is what is left out on each side. */
export function percentileInterval(distribution: Float64Array, tail = 0.025): Interval {
  const scratch = distribution.slice();
  return { low: quantileInPlace(scratch, tail), high: quantileInPlace(scratch, 1 - tail) };
}
