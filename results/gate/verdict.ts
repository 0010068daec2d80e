import type { Interval } from '../stats/bootstrap.js';
import { tolerance } from '../stats/moments.js';
import { type Verdict, verdicts } from './types.js';

export type Judged = Exclude<Verdict, 'missing'>;

/** A change and what is allowed of it, turned so that more is better. */
export interface Ground extends Interval {
  readonly delta: number;
  /** From 0. */
  readonly budget: number;
  /** Numbers nearer than this are one: 0.5 − 0.51 is no more than a drop of 0.01. */
  readonly slack: number;
}

/** The slack of a change between two values. */
export function slackOf(base: number, candidate: number): number {
  return tolerance * Math.max(1, Math.abs(base), Math.abs(candidate));
}

/** Changes its sign where less is better, so that one rule serves both directions. */
export function towardsBetter<T extends Interval & { readonly delta: number }>(
  { low, high, delta }: T,
  direction: 'drop' | 'rise',
): Interval & { readonly delta: number } {
  return direction === 'drop' ? { low, high, delta } : { low: -high, high: -low, delta: -delta };
}

/** formats.md §9: the interval against the budget. */
export function intervalVerdict({ low, high, budget, slack }: Omit<Ground, 'delta'>): Judged {
  if (high < -budget - slack) return 'regressed';
  if (low > slack) return 'improved';
  return low >= -budget - slack ? 'pass' : 'inconclusive';
}

/** The mean itself against the budget; only what got better has to be sure. Never inconclusive. */
export function pointVerdict({ low, delta, budget, slack }: Ground): Judged {
  if (delta < -budget - slack) return 'regressed';
  return low > slack ? 'improved' : 'pass';
}

/** The worst of the checks' verdicts, and of good ones the better. */
export function overall(checks: readonly { readonly verdict: Verdict }[]): Verdict {
  return verdicts.find((verdict) => checks.some((check) => check.verdict === verdict)) ?? 'pass';
}

export function isGood(verdict: Verdict): boolean {
  return verdict === 'pass' || verdict === 'improved';
}
