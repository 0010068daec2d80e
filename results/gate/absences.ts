import { nearest } from '../../core/suggest.js';
import { shownName } from '../reports/names.js';
import type { MissingTask, Paired } from '../sides.js';
import type { MeasureCheck } from './policy-checks.js';
import { plural } from './words.js';

/** Why a measure's check cannot be judged; null where nothing lacks. `n` counts the queries that are there. */
export function absenceOf(check: MeasureCheck, paired: Paired, n: number): string | null {
  // Without a task in common a side has no measure either, and that is not why.
  const isEmpty = paired.queries.length === 0 && paired.missing.length > 0;
  return (
    (isEmpty ? null : measureAbsence(check, paired)) ??
    taskAbsence(paired.missing.filter((task) => mayBelong(task, check.slice))) ??
    (n === 0 ? sliceAbsence(check.slice, paired) : tooFew(check, paired, n))
  );
}

/** A cost is a mean over tasks: each of them counts. */
export function taskAbsence(missing: readonly MissingTask[]): string | null {
  if (missing.length === 0) return null;
  if (missing.length === 1)
    return `a task is missing: ${shownName(missing[0].task, 45)} (${shownName(missing[0].reason, 110)})`;
  const named = missing.slice(0, 3).map(({ task }) => shownName(task, 45));
  const more = missing.length > named.length ? ` and ${missing.length - named.length} more` : '';
  return `${missing.length} tasks are missing: ${named.join(', ')}${more}`;
}

/** Fewer queries than the check wants carry no verdict, not even a bad one: their interval is what is not trusted. */
export function tooFew({ minQueries }: MeasureCheck, { unit }: Paired, n: number): string | null {
  if (n >= minQueries) return null;
  return `${n} ${n === 1 ? unit : plural(unit)}, and at least ${minQueries} are wanted`;
}

function measureAbsence({ measure }: MeasureCheck, { base, candidate }: Paired): string | null {
  const lacking = [
    ...(base.has(measure) ? [] : ['the baseline']),
    ...(candidate.has(measure) ? [] : ['the candidate']),
  ];
  return lacking.length === 0
    ? null
    : `${lacking.join(' and ')} ${lacking.length === 1 ? 'has' : 'have'} no ${measure}`;
}

/**
 * Whether a missing task may have had queries of a slice. Where it names its own slices of that kind (`language:en`),
 * it has no others of it; slices by query, such as `query-length:…` or a user's own, no task can tell.
 */
function mayBelong({ task, slices }: MissingTask, slice: string): boolean {
  const named = [...slices, `task:${task}`, `suite:${task.split('/')[0]}`];
  if (slice === 'all' || named.includes(slice)) return true;
  const kind = kindOf(slice);
  return kind === null || !named.some((other) => kindOf(other) === kind);
}

/** `language` of `language:ja`. */
function kindOf(slice: string): string | null {
  return /^([^:]+):/.exec(slice)?.[1] ?? null;
}

function sliceAbsence(slice: string, { queries, unit }: Paired): string {
  if (slice === 'all') return `the sides have no ${plural(unit)} in common`;
  const near = nearest(slice, [...new Set(queries.flatMap(({ slices }) => slices))]);
  const hint = near === undefined ? '' : `; did you mean ${shownName(near)}?`;
  return `no ${unit} is in the slice ${shownName(slice)}${hint}`;
}
