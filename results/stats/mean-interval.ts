import { bootstrapMeans, type Interval, percentileInterval, type Resampling } from './bootstrap.js';
import { bcaInterval } from './intervals.js';
import { moments } from './moments.js';

/** `percentile` where BCa is undefined; `none` where all values are equal and there is nothing to resample. */
export interface MeanInterval extends Interval {
  readonly method: 'bca' | 'percentile' | 'none';
}

/** The bootstrap interval of a mean: BCa where it is defined. NaN is `not-finite`. */
export function meanInterval(values: Float64Array, plan: Resampling & { readonly confidence: number }): MeanInterval {
  const { mean, isConstant } = moments(values);
  if (mean === null || isConstant) return { low: mean ?? 0, high: mean ?? 0, method: 'none' };
  const [distribution] = bootstrapMeans([values], plan);
  const bca = bcaInterval(values, distribution, plan.confidence);
  if (bca !== null) return { low: bca.low, high: bca.high, method: 'bca' };
  return { ...percentileInterval(distribution, (1 - plan.confidence) / 2), method: 'percentile' };
}
