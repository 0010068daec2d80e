import { shownName } from '../reports/names.js';
import type { Paired } from '../sides.js';
import { adjust } from '../stats/corrections.js';
import { absenceOf } from './absences.js';
import { judgeCost } from './costs.js';
import { type Evidence, evidenceOf } from './evidence.js';
import { familyErrors } from './levels.js';
import { judgeEvidence, type Level, nothingMeasured } from './measured.js';
import type { Policy } from './policy.js';
import type { MeasureCheck } from './policy-checks.js';
import type { CheckResult, GateResult } from './types.js';
import { overall } from './verdict.js';
import { costWarnings, evidenceWarnings, taskWarnings } from './warnings.js';

export { exitCode } from './exit-code.js';

/** One system of a policy that names several; null where there is one. */
export interface JudgedPair {
  readonly system: string | null;
  readonly paired: Paired;
}

/**
 * What a policy says of a candidate against a baseline. A function of its arguments alone: same values and seed, same
 * verdict. Costs per measure check 2 · resamples · n sign flips and resamples · n draws. A cost that nobody has is
 * `usage`, a value that is no number `not-finite`.
 */
export function judge(policy: Policy, paired: Paired): GateResult {
  return judgeSystems(policy, [{ system: null, paired }]);
}

/** The same for several systems, each under every check; all of their checks are one family. */
export function judgeSystems(policy: Policy, pairs: readonly JudgedPair[]): GateResult {
  const asked = pairs.flatMap((pair) => policy.checks.map((check) => ({ check, ...pair })));
  const evidences = asked.map(({ check, paired }) =>
    check.kind === 'measure' ? evidenceOf(check, paired, policy) : null,
  );
  const levels = familyLevels(evidences, policy);
  const judged = asked.map(({ check, system, paired }, i) => {
    const around = { level: levels[i], policy, paired, system };
    return check.kind === 'cost'
      ? { result: { ...judgeCost(check, paired), system }, warnings: costWarnings(check) }
      : judgeMeasure(check, evidences[i], around);
  });
  const { confidence, correction, resamples, seed, onMissing, onInconclusive } = policy;
  const checks = judged.map(({ result }) => result);
  const ofTasks = pairs.flatMap(({ system, paired }) => taskWarnings(paired).map((line) => named(system, line)));
  return {
    verdict: overall(checks),
    unit: pairs.some(({ paired }) => paired.unit === 'task') ? 'task' : 'query',
    conditions: { confidence, correction, resamples, seed, onMissing, onInconclusive },
    checks,
    warnings: [...ofTasks, ...judged.flatMap(({ warnings }) => warnings)],
  };
}

function named(system: string | null, line: string): string {
  return system === null ? line : `${shownName(system)}: ${line}`;
}

interface Around {
  readonly level: Level;
  readonly policy: Policy;
  readonly paired: Paired;
  readonly system: string | null;
}

function judgeMeasure(check: MeasureCheck, evidence: Evidence | null, { level, policy, paired, system }: Around) {
  if (evidence === null) {
    const result: CheckResult = { ...nothingMeasured(check), system, reason: absenceOf(check, paired, 0) };
    return { result, warnings: [] };
  }
  const result = { ...judgeEvidence(evidence, level, { policy, paired }), system };
  return { result, warnings: evidenceWarnings(evidence, result, paired.unit) };
}

/** Interval checks that test something are the family; all others stand at the policy's own level. */
function familyLevels(evidences: readonly (Evidence | null)[], { confidence, correction }: Policy): readonly Level[] {
  const tests = evidences.map((evidence) => (evidence?.check.fail === 'interval' ? evidence.p : null));
  const family = tests.filter((test) => test !== null);
  const errors = familyErrors(
    family.map(({ budget }) => budget),
    { alpha: 1 - confidence, correction },
  );
  const adjusted = adjust(
    family.map(({ zero }) => zero),
    correction,
  );
  return tests.map((test) => {
    if (test === null) return { confidence, pAdjusted: null };
    const place = family.indexOf(test);
    return { confidence: 1 - errors[place], pAdjusted: adjusted[place] };
  });
}
