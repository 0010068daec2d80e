import type { WorstQuery } from '../compare.js';
import type { Correction } from '../stats/corrections.js';

/** From worst to best: the gate's verdict is the worst of its checks, and `improved` only where one did. */
export const verdicts = ['regressed', 'missing', 'inconclusive', 'improved', 'pass'] as const;
export type Verdict = (typeof verdicts)[number];

/** formats.md §9. Types and not interfaces, so that they are assignable to `Json`. */
export type GateResult = {
  readonly verdict: Verdict;
  /** What is paired and what `n` counts. */
  readonly unit: 'query' | 'task';
  readonly conditions: GateConditions;
  /** In the order of the policy. */
  readonly checks: readonly CheckResult[];
  /** Sentences for people, each below 200 characters; ids in them are printable. */
  readonly warnings: readonly string[];
};

/** Of the policy: what the verdicts rest on, and what they lead to. */
export type GateConditions = {
  readonly confidence: number;
  readonly correction: Correction;
  readonly resamples: number;
  readonly seed: number;
  readonly onMissing: 'fail' | 'warn';
  readonly onInconclusive: 'pass' | 'fail';
};

/** One check. What does not apply, or cannot be said, is null. */
export type CheckResult = {
  /** A check has either a measure or a cost. */
  readonly measure: string | null;
  readonly cost: string | null;
  /** Where the policy names several. */
  readonly system: string | null;
  /** `all` or a name; null for costs. */
  readonly slice: string | null;
  /** The direction in which the value gets worse. */
  readonly direction: 'drop' | 'rise';
  readonly fail: 'interval' | 'on-point';
  readonly verdict: Verdict;
  /** What lacks: why it is missing, or what a regressed one was judged without. */
  readonly reason: string | null;
  readonly base: number | null;
  readonly candidate: number | null;
  /** candidate − base, whatever the direction; so are low and high. */
  readonly delta: number | null;
  /** The interval also holds the budget and 0 where the sign-flip test at this confidence does not exclude them. */
  readonly low: number | null;
  readonly high: number | null;
  /** `percentile` where BCa is undefined; `none` where all deltas are equal and there is nothing to resample. */
  readonly method: 'bca' | 'percentile' | 'none' | null;
  /** Of this interval: the policy's, corrected over the family of interval checks. */
  readonly confidence: number | null;
  /** Sign-flip, two-sided, of the mean delta against 0. */
  readonly p: number | null;
  /** `p` corrected over the family of interval checks. */
  readonly pAdjusted: number | null;
  /** The same test against a mean delta that just uses up the budget: the one that the correction rests on. */
  readonly pBudget: number | null;
  readonly n: number | null;
  /** Of an inconclusive check: the queries with which a true delta as seen would be decided, with a power of 0.8. */
  readonly nNeeded: number | null;
  /** Absolute, in the unit of the value. */
  readonly budget: number | null;
  /** How far ties leave the delta open: the ranges of both sides together. */
  readonly tieRange: number | null;
  /** Queries that got better, stayed (within 1e-12) and got worse. */
  readonly counts: { readonly better: number; readonly tied: number; readonly worse: number } | null;
  /** Those that got worse most, worst first. */
  readonly worst: readonly WorstQuery[];
};
