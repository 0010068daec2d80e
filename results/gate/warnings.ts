import { fixed } from '../../core/numbers.js';
import { kindOfMeasure } from '../measures/parse.js';
import { shownName } from '../reports/names.js';
import type { Paired } from '../sides.js';
import type { Evidence } from './evidence.js';
import { verdictOf } from './measured.js';
import type { CostCheck } from './policy-checks.js';
import type { CheckResult, Verdict } from './types.js';
import { isGood, towardsBetter } from './verdict.js';
import { checkName, plural } from './words.js';

/** Missing tasks that are named one by one. */
const mostTasks = 20;

/** A sentence for each task that a side lacks. */
export function taskWarnings({ missing }: Paired): readonly string[] {
  const named = missing
    .slice(0, mostTasks)
    .map(({ task, reason }) => `${shownName(task)} is missing: ${shownName(reason, 110)}`);
  const more = missing.length - named.length;
  return more > 0 ? [...named, `${more} more tasks are missing`] : named;
}

/** What makes the verdict of a judged check weaker than it looks. */
export function evidenceWarnings(evidence: Evidence, result: CheckResult, unit: Paired['unit']): readonly string[] {
  if (result.verdict === 'missing') return [];
  const name = shownName(checkName(result));
  // Equal values query by query come of equal ties.
  const isSame = result.method === 'none' && Math.abs(evidence.delta) <= evidence.slack;
  const turned = isSame ? null : turnedByTies(evidence, result);
  return [
    ...wrongWay(evidence.check),
    ...(turned === null
      ? []
      : [
          `ties leave ${name} open by ${fixed(result.tieRange)}: another order of tied documents could make it ${turned}`,
        ]),
    ...(isTooSmall(result)
      ? [
          `${name} is judged by ${result.n} ${result.n === 1 ? unit : plural(unit)}: no test could tell so few from chance`,
        ]
      : []),
    ...(result.method === 'none' && Math.abs(evidence.delta) > evidence.slack
      ? [
          `${name}: the deltas of ${result.n} ${result.n === 1 ? unit : plural(unit)} are all equal, so its interval has no width`,
        ]
      : []),
  ];
}

/** With n deltas a sign-flip test reaches no p below 2 / 2ⁿ; what is then called sure hangs on the interval alone. */
function isTooSmall({ n, verdict, confidence }: CheckResult): boolean {
  const isSure = verdict === 'regressed' || verdict === 'improved';
  return isSure && n !== null && confidence !== null && 2 / 2 ** n > 1 - confidence;
}

function wrongWay({ measure, direction }: Evidence['check']): readonly string[] {
  const kind = kindOfMeasure(measure);
  if (kind === null) return [];
  return turnedAround(measure, direction, kind.better === 'less' ? 'rise' : 'drop');
}

/** Costs are better when they are less, but for quality and queries per PetaFLOP. */
export function costWarnings({ cost, direction }: CostCheck): readonly string[] {
  return turnedAround(cost, direction, /^(RPP|QPP)\./.test(cost) ? 'drop' : 'rise');
}

/** A budget of the wrong direction turns a check around: what it calls an improvement is none. */
function turnedAround(
  name: string,
  direction: CostCheck['direction'],
  worse: CostCheck['direction'],
): readonly string[] {
  if (direction === worse) return [];
  const better = worse === 'drop' ? 'more' : 'less';
  return [`${shownName(name)} is better when it is ${better}: its check should say ${worse}`];
}

/** The verdict under another order of tied documents, where it is another; that of good ones the kind does not matter. */
function turnedByTies({ check, delta, budget, slack, ties }: Evidence, { low, high }: CheckResult): Verdict | null {
  if (low === null || high === null || ties.highest - ties.lowest <= slack) return null;
  const at = (shifted: number): Verdict => {
    const by = shifted - delta;
    const turned = towardsBetter({ low: low + by, high: high + by, delta: shifted }, check.direction);
    return verdictOf(check, { ...turned, budget, slack });
  };
  const now = at(delta);
  const others = [ties.lowest, ties.highest]
    .map(at)
    .filter((other) => isGood(other) !== isGood(now) || (!isGood(now) && other !== now));
  return others[0] ?? null;
}
