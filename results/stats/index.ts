/** Paired statistics, resampling and rank agreement: pure functions over arrays of numbers. */
export { bootstrapMeans, type Interval, percentileInterval, type Resampling } from './bootstrap.js';
export { adjust, type Correction, corrections } from './corrections.js';
export { type DeltaSummary, pairedDeltas, summarizeDeltas } from './deltas.js';
export { cohenDz, minimumDetectableEffect, powerOfPairedT, queriesNeeded } from './effect.js';
export { type DrawLevel, drawLevels, hierarchicalBootstrap, type MeanDraws, type TaskValues } from './hierarchical.js';
export { type BcaInterval, bcaInterval } from './intervals.js';
export { type MeanInterval, meanInterval } from './mean-interval.js';
export { type PairedT, pairedT } from './paired-t.js';
export { kendallTauB } from './rank/kendall.js';
export { type Rbo, type RboOptions, rbo, type TiedRanking } from './rank/rbo.js';
export { spearman } from './rank/spearman.js';
export { tauAP, tauAPa, tauAPb } from './rank/tau-ap.js';
export { type SignFlip, signFlip } from './sign-flip.js';
export { type WeightedMean, weightedInterval, weightedMean } from './weighted-mean.js';
