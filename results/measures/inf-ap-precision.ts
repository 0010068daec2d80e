import type { GradedList } from '../types.js';
import { isRelevant } from './relevant.js';

/** Documents of a tie group by what infAP sees in them. */
export interface GroupCounts {
  readonly relevant: number;
  /** Judged, not relevant. */
  readonly others: number;
  /** In the pool, unjudged: a negative grade. */
  readonly pooled: number;
  /** In no pool. */
  readonly outside: number;
}

/** Documents above a rank: `judged` counts the relevant ones too, `all` the outsiders as well. Means may be fractions. */
export interface Above {
  readonly relevant: number;
  readonly judged: number;
  readonly pooled: number;
  readonly all: number;
}

/** trec_eval's INFAP_EPSILON. */
const epsilon = 0.00001;

/**
 * The inferred precision at the rank of a relevant document below `above` and, in its own group, below `own`. Divided and
 * multiplied in trec_eval's order, so that its last digit is the same.
 */
export function inferredPrecision(above: Above, own: Above): number {
  const all = above.all + own.all;
  if (all === 0) return 1;
  const judged = above.judged + own.judged;
  const share = (above.relevant + own.relevant + epsilon) / (judged + 2 * epsilon);
  const pooled = judged + above.pooled + own.pooled;
  return 1 / (all + 1) + (all / (all + 1)) * (pooled / all) * share;
}

/** Each tie group with what stands above it. */
export function groupsOf(list: GradedList, level: number): { readonly above: Above; readonly group: GroupCounts }[] {
  let above: Above = { relevant: 0, judged: 0, pooled: 0, all: 0 };
  return list.groupEnds.map((end, i) => {
    const start = i === 0 ? 0 : list.groupEnds[i - 1];
    const group = countsOf(list.grades.slice(start, end), level);
    const entry = { above, group };
    above = {
      relevant: above.relevant + group.relevant,
      judged: above.judged + group.relevant + group.others,
      pooled: above.pooled + group.pooled,
      all: end,
    };
    return entry;
  });
}

function countsOf(grades: readonly (number | null)[], level: number): GroupCounts {
  const counts = { relevant: 0, others: 0, pooled: 0, outside: 0 };
  for (const grade of grades) {
    if (grade === null) counts.outside++;
    else if (grade < 0) counts.pooled++;
    else if (isRelevant(grade, level)) counts.relevant++;
    else counts.others++;
  }
  return counts;
}
