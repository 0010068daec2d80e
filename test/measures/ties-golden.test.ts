import { expect, test } from 'vitest';
import { parseMeasure } from '../../results/measures/parse.js';
import { inFixedOrder } from '../../results/order.js';
import { gradedList, tiedDocs } from '../../results/ties.js';
import type { GradedList, TieValue } from '../../results/types.js';
import { type GoldenDoc, golden, gradesOf, rankingOf, worstDifference } from './golden.js';

interface Metric extends TieValue {
  readonly oblivious: { readonly input: number; readonly idAsc: number; readonly idDesc: number };
}

interface Case {
  readonly case: number;
  readonly k: number;
  readonly relLevel: number;
  readonly docs: readonly GoldenDoc[];
  readonly extraGrades: readonly number[];
  readonly metrics: Readonly<Record<string, Metric>>;
}

/** The fixtures' metric → our measure at k, and the factor between them. */
const measures: Readonly<
  Record<string, (k: number, n: number) => { readonly name: string; readonly factor?: number }>
> = {
  dcg: (k) => ({ name: `DCG@${k}` }),
  dcg_exp: (k) => ({ name: `DCG(dcg='exp-log2')@${k}` }),
  ndcg: (k) => ({ name: `nDCG@${k}` }),
  ndcg_exp: (k) => ({ name: `nDCG(dcg='exp-log2')@${k}` }),
  ndcg_candidate: (k) => ({ name: `nDCG(ideal='candidates')@${k}` }),
  ndcg_candidate_exp: (k) => ({ name: `nDCG(dcg='exp-log2',ideal='candidates')@${k}` }),
  hits: (k) => ({ name: `NumRelRet@${k}` }),
  precision: (k) => ({ name: `P@${k}` }),
  precision_retrieved: (k, n) => ({ name: `P@${k}`, factor: k / Math.min(k, n) }),
  recall: (k) => ({ name: `R@${k}` }),
  f1: (k) => ({ name: `F1@${k}` }),
  success: (k) => ({ name: `Success@${k}` }),
  rr: (k) => ({ name: `RR@${k}` }),
  ap: (k) => ({ name: `AP@${k}` }),
  ap_min_rk: (k) => ({ name: `AP(norm='min')@${k}` }),
  rprec: () => ({ name: 'Rprec' }),
};

function value(metric: string, list: GradedList, k: number): TieValue {
  const { name, factor = 1 } = measures[metric](k, list.grades.length);
  const { expected, min, max } = parseMeasure(name).evaluate(list);
  return { expected: expected * factor, min: min * factor, max: max * factor };
}

test('400 enumerated cases, 16 metrics: expected, minimum, maximum and the value in every fixed order', () => {
  let worst = 0;
  let compared = 0;
  for (const { k, relLevel, docs, extraGrades, metrics } of golden<{ cases: Case[] }>('ties/cases.json').cases) {
    const tied = tiedDocs(rankingOf(docs), 'a case');
    const grades = gradesOf(docs, extraGrades);
    for (const [metric, wanted] of Object.entries(metrics)) {
      worst = Math.max(worst, worstDifference(value(metric, gradedList(tied, grades, relLevel), k), wanted));
      for (const [order, oblivious] of [
        ['input', wanted.oblivious.input],
        ['id', wanted.oblivious.idAsc],
        ['trec', wanted.oblivious.idDesc],
      ] as const) {
        const single = value(metric, gradedList(inFixedOrder(tied, order), grades, relLevel), k);
        worst = Math.max(worst, worstDifference(single, { expected: oblivious, min: oblivious, max: oblivious }));
      }
      compared += 4;
    }
  }
  expect(compared).toBe(400 * 16 * 4);
  expect(worst).toBeLessThan(1e-12);
});

interface LargeCase {
  readonly groups: readonly (readonly [size: number, relevant: number])[];
  readonly k: number;
  readonly unretrievedRelevant: number;
  readonly expected: Readonly<Record<string, number>>;
  readonly min: Readonly<Record<string, number>>;
  readonly max: Readonly<Record<string, number>>;
}

test('40 cases with groups of up to 2,000 documents, from exact binomials', () => {
  let worst = 0;
  for (const { groups, k, unretrievedRelevant, ...wanted } of golden<{ cases: LargeCase[] }>('ties/large_cases.json')
    .cases) {
    const docs = groups.flatMap(([size, relevant], g) =>
      Array.from({ length: size }, (_, i) => ({ id: `${g} ${i}`, score: -g, grade: i < relevant ? 1 : 0 })),
    );
    const grades = gradesOf(
      docs,
      Array.from({ length: unretrievedRelevant }, () => 1),
    );
    const list = gradedList(tiedDocs(rankingOf(docs), 'a case'), grades);
    for (const metric of Object.keys(wanted.expected)) {
      const golden = { expected: wanted.expected[metric], min: wanted.min[metric], max: wanted.max[metric] };
      worst = Math.max(worst, worstDifference(value(metric, list, k), golden));
    }
  }
  expect(worst).toBeLessThan(1e-12);
});
