import type { GateConditions, Verdict } from './types.js';

/**
 * 0 where the candidate may go on, 1 where it got worse, 3 where the policy wants what is missing or undecided to stop it.
 * Of the checks and not of the verdict alone: something missing that only warns must not hide what is undecided.
 */
export function exitCode(
  { checks }: { readonly checks: readonly { readonly verdict: Verdict }[] },
  { onMissing, onInconclusive }: Pick<GateConditions, 'onMissing' | 'onInconclusive'>,
): 0 | 1 | 3 {
  const some = (verdict: Verdict) => checks.some((check) => check.verdict === verdict);
  if (some('regressed')) return 1;
  if (onMissing === 'fail' && some('missing')) return 3;
  return onInconclusive === 'fail' && some('inconclusive') ? 3 : 0;
}
