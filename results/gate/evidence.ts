import type { Paired } from '../sides.js';
import { type DeltaSummary, pairedDeltas, summarizeDeltas } from '../stats/deltas.js';
import { moments } from '../stats/moments.js';
import { signFlip } from '../stats/sign-flip.js';
import type { TieColumns } from '../types.js';
import type { Policy } from './policy.js';
import type { Budget, MeasureCheck } from './policy-checks.js';
import { slackOf } from './verdict.js';

/** What the queries in common say of one measure, before the family of checks is known. */
export interface Evidence {
  readonly check: MeasureCheck;
  /** Places of the queries in the columns of the sides. */
  readonly rows: readonly number[];
  /** candidate − base, query by query; turned, so that more is better, for `summary`. */
  readonly deltas: Float64Array;
  readonly summary: DeltaSummary;
  readonly base: number;
  readonly candidate: number;
  readonly delta: number;
  readonly sd: number | null;
  readonly budget: number;
  readonly slack: number;
  /** Null where all deltas are equal: there is nothing to test. */
  readonly p: Tests | null;
  /** The delta in the worst and in the best order of tied documents of both sides. */
  readonly ties: { readonly lowest: number; readonly highest: number };
}

/** Two-sided sign-flip tests of the mean delta. */
export interface Tests {
  readonly zero: number;
  /** Against the delta that just uses up the budget. */
  readonly budget: number;
  /** The least p that so many queries and resamples can give. */
  readonly least: number;
}

/** Null where a side lacks the measure, or the slice has no query. Values that are no numbers are `not-finite`. */
export function evidenceOf(check: MeasureCheck, paired: Paired, policy: Policy): Evidence | null {
  const base = paired.base.get(check.measure);
  const candidate = paired.candidate.get(check.measure);
  const rows = rowsIn(check.slice, paired);
  if (base === undefined || candidate === undefined || rows.length === 0) return null;
  const column = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]);
  const deltas = pairedDeltas(column(base.expected), column(candidate.expected));
  const turned = check.direction === 'drop' ? deltas : deltas.map((delta) => -delta);
  const summary = summarizeDeltas(turned, policy.worst);
  const { mean, sd, isConstant } = moments(deltas);
  const means = { base: meanOf(column(base.expected)), candidate: meanOf(column(candidate.expected)) };
  const budget = absoluteBudget(check.budget, means.base);
  return {
    ...{ check, rows, deltas, summary, ...means, delta: mean ?? 0, sd, budget },
    slack: slackOf(means.base, means.candidate),
    p: isConstant ? null : testsOf(deltas, check.direction === 'drop' ? budget : -budget, policy),
    ties: tieBounds(base, candidate, column),
  };
}

/** A share is one of the baseline's value. */
export function absoluteBudget(budget: Budget, base: number): number {
  return budget.kind === 'absolute' ? budget.value : (Math.abs(base) * budget.percent) / 100;
}

function rowsIn(slice: string, { queries }: Paired): readonly number[] {
  const rows = [...queries.keys()];
  return slice === 'all' ? rows : rows.filter((row) => queries[row].slices.includes(slice));
}

function meanOf(values: Float64Array): number {
  return moments(values).mean ?? 0;
}

/** `shift` moves the mean that just uses up the budget to 0. */
function testsOf(deltas: Float64Array, shift: number, plan: Pick<Policy, 'resamples' | 'seed'>): Tests {
  const { p: zero, exact, resamples } = signFlip(deltas, plan);
  const budget =
    shift === 0
      ? zero
      : signFlip(
          deltas.map((delta) => delta + shift),
          plan,
        ).p;
  return { zero, budget, least: exact ? 2 / resamples : 1 / (resamples + 1) };
}

function tieBounds(base: TieColumns, candidate: TieColumns, column: (values: Float64Array) => Float64Array) {
  return {
    lowest: meanOf(pairedDeltas(column(base.max), column(candidate.min))),
    highest: meanOf(pairedDeltas(column(base.min), column(candidate.max))),
  };
}
