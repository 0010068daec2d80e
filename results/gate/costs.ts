import { TenbinError } from '../../core/errors.js';
import { byCodePoint } from '../../core/order.js';
import { nearest } from '../../core/suggest.js';
import type { Paired } from '../sides.js';
import { requireFinite } from '../stats/finite.js';
import { taskAbsence } from './absences.js';
import { absoluteBudget } from './evidence.js';
import type { CostCheck } from './policy-checks.js';
import type { CheckResult } from './types.js';
import { pointVerdict, slackOf, towardsBetter } from './verdict.js';

/**
 * A cost is one number for each side, without an interval: what it says is sure. A cost that neither side has is `usage`
 * with the names of those there are, unless there is no task in common to have one.
 */
export function judgeCost(check: CostCheck, { costs, missing, queries }: Paired): CheckResult {
  const base = costs.base.get(check.cost) ?? null;
  const candidate = costs.candidate.get(check.cost) ?? null;
  const nothingInCommon = missing.length > 0 && queries.length === 0;
  if (base === null && candidate === null && !nothingInCommon) throw unknownCost(check.cost, costs);
  const budget = base === null ? null : absoluteBudget(check.budget, base);
  const absence = costAbsence({ base, candidate }) ?? taskAbsence(missing);
  if (base === null || candidate === null || budget === null) {
    return { ...costResult(check), verdict: 'missing', reason: absence, base, candidate, budget };
  }
  requireFinite([base, candidate], `values of the cost ${check.cost}`);
  const delta = candidate - base;
  const turned = towardsBetter({ low: delta, high: delta, delta }, check.direction);
  const judged = pointVerdict({ ...turned, budget, slack: slackOf(base, candidate) });
  const verdict = absence === null || judged === 'regressed' ? judged : 'missing';
  return { ...costResult(check), verdict, reason: absence, base, candidate, delta, budget };
}

interface Values {
  readonly base: number | null;
  readonly candidate: number | null;
}

function costAbsence({ base, candidate }: Values): string | null {
  if (base !== null && candidate !== null) return null;
  const lacking = base === null && candidate === null ? 'neither side has' : null;
  return `${lacking ?? (base === null ? 'the baseline lacks' : 'the candidate lacks')} this cost on a task`;
}

/** A cost check without its numbers. */
function costResult({ cost, direction }: CostCheck): CheckResult {
  return {
    ...{
      system: null,
      measure: null,
      cost,
      slice: null,
      direction,
      fail: 'on-point',
      verdict: 'missing',
      reason: null,
    },
    ...{ base: null, candidate: null, delta: null, low: null, high: null, method: null, confidence: null },
    ...{ p: null, pAdjusted: null, pBudget: null, n: null, nNeeded: null, budget: null, tieRange: null },
    ...{ counts: null, worst: [] },
  };
}

function unknownCost(cost: string, { base, candidate }: Paired['costs']): TenbinError {
  const known = [...new Set([...base.keys(), ...candidate.keys()])].sort(byCodePoint);
  const near = nearest(cost, known);
  const there =
    known.length === 0 ? 'They have no costs at all: leave the check out.' : `There are ${known.join(', ')}.`;
  return new TenbinError('usage', {
    what: 'A check asks for a cost that neither side has on all of its tasks',
    value: `\`${cost}\``,
    fix: `${near === undefined ? '' : `Did you mean \`${near}\`? `}${there}`,
  });
}
