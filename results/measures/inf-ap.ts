import type { GradedList } from '../types.js';
import { inferredExtremes } from './inf-ap-extremes.js';
import { type Above, type GroupCounts, groupsOf, inferredPrecision } from './inf-ap-precision.js';
import { measureKind } from './kind.js';
import { relevantJudged } from './relevant.js';
import { binary, levelOf } from './settings.js';
import { between, over } from './value.js';

export const infAp = measureKind({
  name: 'infAP',
  aliases: ['inferred_ap', 'inferred_average_precision'],
  summary:
    'AP inferred from a sample of judgements: documents in the pool that were not judged (negative grades) are as likely to be relevant as the judged ones above.',
  range: '[0, ∞)',
  source: 'Yilmaz and Aslam, CIKM 2006; trec_eval m_infap.c',
  cutoff: 'none',
  settings: binary,
  evaluate: (list, _, settings) => {
    const level = levelOf(list, settings);
    const { expected, min, max } = sums(list, level);
    return over(between(min, expected, max), relevantJudged(list, level));
  },
  examples: [
    { what: 'Fully judged it is AP, but for 0.00001', measure: 'infAP', list: '1 - / 0', value: 1 },
    {
      what: 'Rank 2 below a document that is not in the pool',
      measure: 'infAP',
      list: '- 1',
      value: 1 / 2,
    },
    {
      what: 'First, or second below an outsider',
      measure: 'infAP',
      list: '(1 -)',
      value: { expected: 3 / 4, min: 1 / 2, max: 1 },
    },
  ],
});

function sums(list: GradedList, level: number) {
  let expected = 0;
  let min = 0;
  let max = 0;
  for (const { above, group } of groupsOf(list, level)) {
    if (group.relevant === 0) continue;
    expected += expectedInGroup(above, group);
    const extremes = inferredExtremes(above, group);
    min += extremes.min;
    max += extremes.max;
  }
  return { expected, min, max };
}

/**
 * At each place of the group, relevant with r/g, s of those before it in the group are judged (hypergeometric). Given s, the
 * relevant among them and the pooled among the rest are independent, and the precision is linear in both: their means do.
 */
function expectedInGroup(above: Above, group: GroupCounts): number {
  const { relevant, others, pooled, outside } = group;
  const judged = relevant - 1 + others;
  const rest = pooled + outside;
  let sum = 0;
  for (let before = 0; before < judged + rest + 1; before++) {
    for (const { count, chance } of hypergeometric(judged, rest, before)) {
      const found = judged === 0 ? 0 : (count * (relevant - 1)) / judged;
      const inPool = rest === 0 ? 0 : ((before - count) * pooled) / rest;
      sum += chance * inferredPrecision(above, { relevant: found, judged: count, pooled: inPool, all: before });
    }
  }
  return (sum * relevant) / (judged + rest + 1);
}

/** How many of `drawn` out of `marked` + `others` are marked. Starts at the mode, so that nothing underflows to 0/0. */
function hypergeometric(marked: number, others: number, drawn: number): { count: number; chance: number }[] {
  const low = Math.max(0, drawn - others);
  const high = Math.min(marked, drawn);
  const mode = Math.min(high, Math.max(low, Math.floor(((drawn + 1) * (marked + 1)) / (marked + others + 2))));
  const up = (n: number) => ((marked - n) * (drawn - n)) / ((n + 1) * (others - drawn + n + 1));
  const weights = new Map([[mode, 1]]);
  for (let n = mode; n < high; n++) weights.set(n + 1, (weights.get(n) ?? 0) * up(n));
  for (let n = mode - 1; n >= low; n--) weights.set(n, (weights.get(n + 1) ?? 0) / up(n));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return [...weights].map(([count, weight]) => ({ count, chance: weight / total }));
}
