import { adjust, type Correction } from '../stats/corrections.js';

/**
 * The error that each interval of a family may have so that all together hold `alpha`. `p` are the tests of the
 * intervals' own question (is the mean beyond the budget), adj their corrected values. A corrected test finds where
 * adj ≤ alpha, which is p ≤ alpha · p / adj: the interval at 1 − alpha · p / adj leaves the budget out exactly where the
 * corrected test does, as far as interval and test agree at all. An adj cut off at 1 says nothing of the level: there it
 * is Bonferroni's, the least.
 */
export function familyErrors(
  p: readonly number[],
  { alpha, correction }: { readonly alpha: number; readonly correction: Correction },
): readonly number[] {
  if (correction === 'none') return p.map(() => alpha);
  const adjusted = adjust(p, correction);
  return p.map((each, i) => alpha * (adjusted[i] < 1 ? each / adjusted[i] : 1 / p.length));
}
