import type { WorstQuery } from '../compare.js';
import type { Paired } from '../sides.js';
import type { Interval } from '../stats/bootstrap.js';
import { queriesNeeded } from '../stats/effect.js';
import { meanInterval } from '../stats/mean-interval.js';
import { absenceOf, tooFew } from './absences.js';
import type { Evidence, Tests } from './evidence.js';
import type { Policy } from './policy.js';
import type { MeasureCheck } from './policy-checks.js';
import type { CheckResult } from './types.js';
import { type Ground, intervalVerdict, type Judged, pointVerdict, towardsBetter } from './verdict.js';

/** The power that `nNeeded` is stated for. */
const power = 0.8;

/** What the family of checks settles for one of them. */
export interface Level {
  readonly confidence: number;
  readonly pAdjusted: number | null;
}

/** A check of which there is something to judge. */
export function judgeEvidence(
  evidence: Evidence,
  level: Level,
  about: { readonly policy: Policy; readonly paired: Paired },
) {
  const { check, rows, budget, delta, slack, p, ties, summary } = evidence;
  const { policy, paired } = about;
  const interval = intervalOf(evidence, level.confidence, policy);
  const turned = towardsBetter({ ...interval, delta }, check.direction);
  const judged = verdictOf(check, { ...turned, budget, slack });
  const reason = absenceOf(check, paired, rows.length);
  const fewer = tooFew(check, paired, rows.length) !== null;
  const verdict = reason === null || (judged === 'regressed' && !fewer) ? judged : 'missing';
  return {
    ...nothingMeasured(check),
    ...{ verdict, reason, base: evidence.base, candidate: evidence.candidate, delta, ...interval, ...level },
    ...{ p: p?.zero ?? null, pBudget: p?.budget ?? null, n: rows.length, budget },
    nNeeded: verdict === 'inconclusive' ? needed(evidence, 1 - level.confidence) : null,
    tieRange: Math.max(0, ties.highest - ties.lowest),
    counts: { better: summary.improved, tied: summary.tied, worse: summary.regressed },
    worst: worstOf(evidence, paired),
  } satisfies CheckResult;
}

/** A measure's check without its numbers. */
export function nothingMeasured({ measure, slice, direction, fail }: MeasureCheck): CheckResult {
  return {
    ...{ system: null, measure, cost: null, slice, direction, fail, verdict: 'missing', reason: null },
    ...{ base: null, candidate: null, delta: null, low: null, high: null, method: null, confidence: null },
    ...{ p: null, pAdjusted: null, pBudget: null, n: 0, nNeeded: null, budget: null, tieRange: null },
    ...{ counts: null, worst: [] },
  };
}

/** By the check's own rule. */
export function verdictOf({ fail }: Pick<MeasureCheck, 'fail'>, ground: Ground): Judged {
  return fail === 'on-point' ? pointVerdict(ground) : intervalVerdict(ground);
}

function intervalOf(evidence: Evidence, confidence: number, plan: Pick<Policy, 'resamples' | 'seed'>) {
  const { deltas, p } = evidence;
  const found = meanInterval(deltas, { ...plan, confidence });
  if (p === null) return found;
  return { ...found, ...holdingWhatTestsLeave(found, evidence, { ...p, alpha: 1 - confidence }) };
}

/**
 * Where many deltas are 0 or the queries are few, a bootstrap interval is too narrow: of 50 queries with 80 % of the deltas
 * at 0, BCa at 95 % lay wholly beyond the true mean in 15 of 100 samples. The sign-flip test holds its level there, so the
 * interval reaches as far as the budget and 0 where that test does not exclude them. With so few queries that no pattern
 * of signs excludes anything there is no test to ask.
 */
function holdingWhatTestsLeave(
  { low, high }: Interval,
  { check, budget }: Evidence,
  { zero, budget: atBudget, least, alpha }: Tests & { readonly alpha: number },
): Interval {
  if (least > alpha) return { low, high };
  const edge = check.direction === 'drop' ? -budget : budget;
  const held = [...(zero > alpha ? [0] : []), ...(atBudget > alpha ? [edge] : [])];
  return { low: Math.min(low, ...held), high: Math.max(high, ...held) };
}

/**
 * An inconclusive interval holds the point where the budget is just used up, so the distance of the delta to that point
 * decides, be it that the change turns out as regressed or as allowed; the distance to 0 only parts `pass` from
 * `improved`. Null where the delta lies on the point: then no number of queries decides. At least one query more than
 * there are: a skewed sample may look decided to the t-test, which this counts by, and not to the interval.
 */
function needed({ check, delta, budget, sd, slack, rows }: Evidence, alpha: number): number | null {
  const effect = check.direction === 'drop' ? delta + budget : delta - budget;
  if (Math.abs(effect) <= slack || sd === null) return null;
  const n = queriesNeeded({ sd, effect, alpha, power });
  return n === null || !Number.isSafeInteger(n) ? null : Math.max(n, rows.length + 1);
}

function worstOf({ summary, rows, deltas }: Evidence, { queries }: Paired): readonly WorstQuery[] {
  return summary.worst.map((i) => {
    const { id, text, task } = queries[rows[i]];
    return { query: id, delta: deltas[i], text, task };
  });
}
