import { measureKind } from './kind.js';
import { hits, relevantJudged } from './relevant.js';
import { binary, levelOf } from './settings.js';
import { over } from './value.js';

export const rprec = measureKind({
  name: 'Rprec',
  aliases: ['R_precision'],
  summary: 'Precision at rank R, where R is the number of relevant documents of the query.',
  range: '[0, 1]',
  source:
    'Buckley and Voorhees, in TREC: Experiment and Evaluation in Information Retrieval, 2005, ch. 3; trec_eval m_Rprec.c',
  cutoff: 'none',
  settings: binary,
  evaluate: (list, _, settings) => {
    const level = levelOf(list, settings);
    const relevant = relevantJudged(list, level);
    return over(hits(list, relevant, level), relevant);
  },
  examples: [
    { what: 'R = 3, two of them in the first three ranks', measure: 'Rprec', list: '1 0 1 1', value: 2 / 3 },
    {
      what: 'R = 2: one of the two tied places lies within it',
      measure: 'Rprec',
      list: '1 (1 0)',
      value: { expected: 3 / 4, min: 1 / 2, max: 1 },
    },
    { what: 'Fewer retrieved than relevant', measure: 'Rprec', list: '1 / 1 1 1', value: 1 / 4 },
  ],
});
