import { nearestRank } from '../../core/nearest-rank.js';
import { percentileInterval } from '../stats/bootstrap.js';
import { drawPlaces, statesBefore } from '../stats/draws.js';
import type { LatencyRecord, Sample } from './samples.js';

const resamples = 10_000;
/** Resamples drawn at once: the places of 64 take little memory whatever their length. */
const blockSize = 64;

interface RatioInterval {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** How many times as long A takes as B: above 1, B is the faster one. */
export interface PairedRatio extends RatioInterval {
  readonly a: string;
  readonly b: string;
  /** Queries that both answered. */
  readonly n: number;
  /** Of the medians over the queries by nearest rank, which a few slow requests do not move. */
  readonly p50Ratio: RatioInterval;
}

/**
 * The geometric mean of the ratios of two systems that took turns, query by query, with a 95 % bootstrap interval over the
 * queries: what slows the machine down slows both of a pair, and leaves the ratio. Ratios of one query asked several times
 * are one value. Null where no two systems were paired, or no query was answered by both.
 */
export function pairedRatio({ paired, measured, seed }: LatencyRecord): PairedRatio | null {
  if (paired === null) return null;
  const [a, b] = [paired.a, paired.b].map((side) => measured.find(({ system }) => system === side)?.samples ?? []);
  const queries = byQuery(a, b);
  if (queries.length === 0) return null;
  const logA = Float64Array.from(queries, ({ logA }) => logA);
  const logB = Float64Array.from(queries, ({ logB }) => logB);
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [medianA, medianB] = [drawnMedian(logA), drawnMedian(logB)];
  const all = Int32Array.from(queries.keys());
  const [means, medians] = [new Float64Array(resamples), new Float64Array(resamples)];
  forResamples(queries.length, seed, (resample, places) => {
    const [drawnA, drawnB] = [drawn(logA, places), drawn(logB, places)];
    means[resample] = mean(drawnA) - mean(drawnB);
    medians[resample] = medianA(places) - medianB(places);
  });
  return {
    ...paired,
    ...interval(mean(logA) - mean(logB), means),
    n: queries.length,
    p50Ratio: interval(medianA(all) - medianB(all), medians),
  };
}

interface Times {
  readonly logA: number;
  readonly logB: number;
}

/** The i-th requests of both asked the same query; mean logarithms of their times for each query. */
function byQuery(a: readonly Sample[], b: readonly Sample[]): readonly Times[] {
  const sums = new Map<number, { logA: number; logB: number; count: number }>();
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [one, other] = [a[i], b[i]];
    const [msA, msB] = [one.endMs - one.arrivalMs, other.endMs - other.arrivalMs];
    const usable = one.failed === undefined && other.failed === undefined && one.query === other.query;
    // A time of 0 is below the clock and has no ratio to anything.
    if (!usable || msA === 0 || msB === 0) continue;
    const sum = sums.get(one.query) ?? { logA: 0, logB: 0, count: 0 };
    sum.logA += Math.log(msA);
    sum.logB += Math.log(msB);
    sum.count++;
    sums.set(one.query, sum);
  }
  return [...sums.values()].map(({ logA, logB, count }) => ({ logA: logA / count, logB: logB / count }));
}

function forResamples(length: number, seed: number, use: (resample: number, places: Int32Array) => void): void {
  for (let start = 0; start < resamples; start += blockSize) {
    const numbers = Int32Array.from({ length: Math.min(blockSize, resamples - start) }, (_, i) => start + i);
    const places = new Int32Array(numbers.length * length);
    drawPlaces(places, length, statesBefore(seed, numbers, length));
    for (const [i, resample] of numbers.entries()) use(resample, places.subarray(i * length, (i + 1) * length));
  }
}

function drawn(values: Float64Array, places: Int32Array): Float64Array {
  const out = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) out[i] = values[places[i]];
  return out;
}

/** The median of the values at some places: sorted once, so that a resample is only counted. */
function drawnMedian(values: Float64Array): (places: Int32Array) => number {
  const order = Int32Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
  const counts = new Int32Array(values.length);
  const ascending = new Float64Array(values.length);
  return (places) => {
    counts.fill(0);
    for (const place of places) counts[place]++;
    let filled = 0;
    for (const place of order) {
      ascending.fill(values[place], filled, filled + counts[place]);
      filled += counts[place];
    }
    return nearestRank(ascending, 0.5) ?? Number.NaN;
  };
}

/** From logarithms back to ratios. */
function interval(log: number, distribution: Float64Array): RatioInterval {
  const { low, high } = percentileInterval(distribution);
  return { ratio: Math.exp(log), low: Math.exp(low), high: Math.exp(high) };
}
