import { nearestRank } from '../../core/nearest-rank.js';
import { type PercentileName, percentileRange, percentileShares } from './percentiles.js';

/** Steps of the clock below which a time is no number: at five of them a reading may be off by a fifth. */
const resolvedSteps = 5;

export function resolvableMs(resolutionMs: number): number {
  return resolvedSteps * resolutionMs;
}

/** Null at an end that is below the clock. */
export interface TimesRange {
  readonly low: number | null;
  readonly high: number | null;
}

/** Of the times of one part, in milliseconds. Null where it cannot be said: below the clock, or behind requests that failed. */
export interface TimesSummary extends Readonly<Record<PercentileName, number | null>> {
  readonly n: number;
  readonly mean: number | null;
  readonly max: number | null;
  /** 95 % intervals of the percentiles, free of any distribution; null where n is too small for one. */
  readonly intervals: Readonly<Record<PercentileName, TimesRange | null>>;
}

interface SummaryOptions {
  readonly resolutionMs: number;
  /** Requests without an answer: they count as slower than every answer, since nobody knows when it would have come. */
  readonly unanswered: number;
}

export function summarizeTimes(timesMs: readonly number[], options: SummaryOptions): TimesSummary {
  const { resolutionMs, unanswered } = options;
  const never = Array<number>(unanswered).fill(Number.POSITIVE_INFINITY);
  const ascending = Float64Array.from([...timesMs, ...never]).sort();
  const least = resolvableMs(resolutionMs);
  const told = (ms: number | undefined) => (ms === undefined || ms < least || !Number.isFinite(ms) ? null : ms);
  const range = (share: number): TimesRange | null => {
    const found = percentileRange(ascending, share);
    if (found === null || !Number.isFinite(found.high)) return null;
    return { low: told(found.low), high: told(found.high) };
  };
  const of = <T>(make: (share: number) => T) =>
    ({ p50: make(percentileShares.p50), p95: make(percentileShares.p95), p99: make(percentileShares.p99) }) as const;
  const n = timesMs.length;
  const sumMs = timesMs.reduce((sum, ms) => sum + ms, 0);
  return {
    n,
    ...of((share) => told(nearestRank(ascending, share))),
    // A mean of many readings is finer than one of them, so it is told wherever the clock moved at all.
    mean: sumMs > 0 ? sumMs / n : null,
    max: told(timesMs.reduce((most, ms) => Math.max(most, ms), 0)),
    intervals: of(range),
  };
}
