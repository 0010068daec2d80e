import { measureKind } from './kind.js';
import { hits, relevantJudged } from './relevant.js';
import { binary, levelOf } from './settings.js';
import { over } from './value.js';

export const recall = measureKind({
  name: 'R',
  aliases: ['Recall'],
  summary: 'Share of all relevant documents that stand within the cut-off; without one, anywhere in the list.',
  range: '[0, 1]',
  source:
    'van Rijsbergen, Information Retrieval, 1979, ch. 7; trec_eval m_recall.c; ties: McSherry and Najork, ECIR 2008',
  cutoff: 'optional',
  settings: binary,
  evaluate: (list, k, settings) => {
    const level = levelOf(list, settings);
    return over(hits(list, k, level), relevantJudged(list, level));
  },
  examples: [
    { what: 'Two of four relevant documents within rank 3', measure: 'R@3', list: '1 0 1 1 / 1', value: 2 / 4 },
    { what: 'From grade 2 there is one, and it comes later', measure: 'R(rel=2)@2', list: '1 1 2', value: 0 },
    {
      what: 'One of two places of the tie lies within the cut-off',
      measure: 'R@2',
      list: '0 (1 0)',
      value: { expected: 1 / 2, min: 0, max: 1 },
    },
  ],
});
