import { bootstrapMeans, percentileInterval, type Resampling } from './bootstrap.js';
import { bcaInterval } from './intervals.js';
import type { MeanInterval } from './mean-interval.js';
import { moments } from './moments.js';

/** A weighted mean Σwx / Σw, and values of which it is the plain mean. Weights are above 0. */
export interface WeightedMean {
  readonly mean: number;
  /**
   * mean + wᵢ (xᵢ − mean) / w̄: the ratio linearized by the delta method. Its spread is that of the weighted mean, as a
   * query that is drawn brings its weight along.
   */
  readonly linearized: Float64Array;
}

export function weightedMean(values: Float64Array, weights: Float64Array): WeightedMean {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // 1 for weights of one size, so that those change no digit.
  const relative = weights.map((weight) => weight * (weights.length / total));
  const mean = values.reduce((sum, value, i) => sum + relative[i] * value, 0) / values.length;
  return { mean, linearized: values.map((value, i) => relative[i] * value + (1 - relative[i]) * mean) };
}

/**
 * The bootstrap interval of a weighted mean: each resample is the ratio of its own Σwx and Σw, so it stays within the
 * values. BCa where it is defined, with the acceleration of the linearized values.
 */
export function weightedInterval(
  values: Float64Array,
  weights: Float64Array,
  plan: Resampling & { readonly confidence: number },
): MeanInterval {
  const { mean, linearized } = weightedMean(values, weights);
  if (moments(values).isConstant) return { low: mean, high: mean, method: 'none' };
  const products = values.map((value, i) => value * weights[i]);
  const [sums, totals] = bootstrapMeans([products, weights], plan);
  const distribution = sums.map((sum, r) => sum / totals[r]);
  const bca = bcaInterval(linearized, distribution, plan.confidence);
  if (bca !== null) return { low: bca.low, high: bca.high, method: 'bca' };
  return { ...percentileInterval(distribution, (1 - plan.confidence) / 2), method: 'percentile' };
}
