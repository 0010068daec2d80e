import { statesBefore } from './draws.js';
import { quantileInPlace } from './quantile.js';
import { blockSize, layOut, sumResamples, workspace } from './sums.js';

export interface Resampling {
  readonly resamples: number;
  /** Of a mulberry32 stream: the same seed and length draw the same places, whatever the values are. */
  readonly seed: number;
}

/** A part of the resamples: `count` of them from number `from` on (0-based). */
export interface ResampleRange {
  readonly from: number;
  readonly count: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The bootstrap distributions of the means of series of equal length (Efron 1979). Per resample, n draws with
 * replacement, place ⌊u · n⌋. All series see the same draws, so the difference of two distributions is paired. Values
 * are added in the order of the draws: the digits are those of the plain loop. Costs n draws per resample and n additions
 * per series and resample.
 */
export function bootstrapMeans(series: readonly Float64Array[], plan: Resampling): readonly Float64Array[] {
  return bootstrapRange(series, plan.seed, { from: 0, count: plan.resamples });
}

/** The same for a part of the resamples; the parts joined are the whole, digit for digit. */
export function bootstrapRange(
  series: readonly Float64Array[],
  seed: number,
  { from, count: total }: ResampleRange,
): readonly Float64Array[] {
  const means = series.map(() => new Float64Array(total));
  const laid = layOut(series);
  const { length, stride } = laid;
  const work = workspace(laid);
  const resamples = Int32Array.from({ length: total }, (_, r) => from + r);
  const states = statesBefore(seed, resamples, length);
  for (let start = 0; start < total; start += blockSize) {
    const count = Math.min(blockSize, total - start);
    sumResamples(laid, states.subarray(start, start + count), work);
    means.forEach((into, i) => {
      for (let r = 0; r < count; r++) into[start + r] = work.sums[r * stride + i] / length;
    });
  }
  return means;
}

/** The two-sided percentile interval of a bootstrap distribution; `tail` is what is left out on each side. */
export function percentileInterval(distribution: Float64Array, tail = 0.025): Interval {
  const scratch = distribution.slice();
  return { low: quantileInPlace(scratch, tail), high: quantileInPlace(scratch, 1 - tail) };
}
