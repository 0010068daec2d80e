import { sortedDcg, tiedDcg } from '../measures/gain.js';
import { meanInterpolated } from '../measures/iprec.js';
import { parseMeasure } from '../measures/parse.js';
import { hits } from '../measures/relevant.js';
import { setFValue } from '../measures/set-f.js';
import { over, same, zero } from '../measures/value.js';
import type { GradedList, Measure } from '../types.js';

// Measures of trec_eval that have no spelling of their own among ours: they carry trec_eval's name.

/** `ndcg.1=3,2=9`: a grade that is not listed gains what it is (trec_eval gain_init.c). */
export function ndcgWithGains(name: string, gains: ReadonlyMap<number, number>): Measure {
  const gainOf = (grade: number | null) => (grade === null || grade < 0 ? null : (gains.get(grade) ?? grade));
  const evaluate = (list: GradedList) => {
    const judged = list.judged.map((grade) => gainOf(grade) ?? 0).sort((a, b) => b - a);
    const gained = { ...list, grades: list.grades.map(gainOf), judged };
    const k = Number.POSITIVE_INFINITY;
    return over(tiedDcg(gained, k, 'log2'), sortedDcg(judged, k));
  };
  return { name, aggregate: 'mean', evaluate };
}

/** `set_F.x`: (x + 1) P R / (x P + R), where our beta is the root of x. */
export function setFWithWeight(name: string, weight: number): Measure {
  return { name, aggregate: 'mean', evaluate: (list) => same(setFValue(list, weight, list.level)) };
}

/** `11pt_avg.…`: the mean over other recalls than the eleven. */
export function meanInterpolatedAt(name: string, recalls: readonly number[]): Measure {
  const evaluate = (list: GradedList) => meanInterpolated(list, recalls, { rounding: 'nearest', level: list.level });
  return { name, aggregate: 'mean', evaluate };
}

/** The geometric mean of Bpref. */
export const gmBpref: Measure = {
  name: 'gm_bpref',
  aggregate: 'geometric-mean',
  evaluate: parseMeasure('Bpref').evaluate,
};

/** Judged documents that are not relevant; their number is the same in every order. */
export const judgedNonrelevant: Measure = {
  name: 'num_nonrel_judged_ret',
  aggregate: 'sum',
  evaluate: (list) => {
    const all = list.grades.length;
    return same(hits(list, all, 0).expected - hits(list, all, list.level).expected);
  },
};

/** `unj_k`: unjudged documents within k, out of k; our Unjudged@k is out of min(k, n). */
export function unjudgedOf(name: string, k: number): Measure {
  const evaluate = (list: GradedList) => {
    const places = Math.min(k, list.grades.length);
    if (places === 0) return zero;
    const judged = hits(list, k, 0);
    const unjudged = { expected: places - judged.expected, min: places - judged.max, max: places - judged.min };
    return over(unjudged, k);
  };
  return { name, aggregate: 'mean', evaluate };
}
