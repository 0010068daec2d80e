import type { GradedList } from '../types.js';
import { type Gain, gainOf, sortedDcg, tiedDcg } from './gain.js';
import { measureKind } from './kind.js';
import { graded, oneOf } from './settings.js';
import { over } from './value.js';

export const ndcg = measureKind({
  name: 'nDCG',
  aliases: ['ndcg_cut', 'normalized_dcg'],
  summary: 'Discounted cumulative gain, divided by that of the best possible list. Gains are the grades.',
  range: '[0, 1]',
  source:
    'Järvelin and Kekäläinen, TOIS 20(4), 2002; trec_eval m_ndcg_cut.c; exp-log2: Burges et al., ICML 2005; ties: McSherry and Najork, ECIR 2008',
  cutoff: 'optional',
  settings: { dcg: oneOf('log2', 'exp-log2'), ideal: oneOf('judged', 'candidates'), ...graded },
  evaluate: (list, k, { dcg, ideal }) => over(tiedDcg(list, k, dcg), sortedDcg(idealGains(list, ideal, dcg), k)),
  examples: [
    {
      what: 'The relevant document stands second, where it counts 1/log2(3)',
      measure: 'nDCG@10',
      list: '0 1',
      value: 1 / Math.log2(3),
    },
    {
      what: 'Three tied documents, two of them relevant, at ranks 2 to 4: each place holds 2/3 of a relevant one',
      measure: 'nDCG@3',
      list: '0 (1 0 1) 0',
      value: {
        expected: ((2 / 3) * (1 / Math.log2(3) + 1 / 2)) / (1 + 1 / Math.log2(3)),
        min: 0.5 / (1 + 1 / Math.log2(3)),
        max: (1 / Math.log2(3) + 1 / 2) / (1 + 1 / Math.log2(3)),
      },
    },
    {
      what: 'Exponential gain: grade 2 before grade 3 costs (3 + 7/log2(3)) of (7 + 3/log2(3))',
      measure: "nDCG(dcg='exp-log2')@2",
      list: '2 3',
      value: (3 + 7 / Math.log2(3)) / (7 + 3 / Math.log2(3)),
    },
    {
      what: 'The ideal of the candidates knows nothing of the grade 3 that was never retrieved',
      measure: "nDCG(ideal='candidates')@5",
      list: '1 0 / 3',
      value: 1,
    },
    { what: 'Without a relevant document it is 0, as in trec_eval', measure: 'nDCG', list: '0 - -1', value: 0 },
  ],
});

function idealGains(list: GradedList, ideal: 'judged' | 'candidates', gain: Gain): number[] {
  if (ideal === 'judged') return list.judged.map((grade) => gainOf(grade, gain));
  return list.grades.map((grade) => gainOf(grade, gain)).sort((a, b) => b - a);
}
