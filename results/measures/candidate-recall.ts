import { measureKind } from './kind.js';
import { hits, relevantJudged } from './relevant.js';
import { level, levelOf } from './settings.js';
import { over } from './value.js';

export const candidateRecall = measureKind({
  name: 'CandidateRecall',
  aliases: [],
  summary:
    'Share of all relevant documents among the first N candidates, which bounds what a reranker of them can reach. Reranking the N leaves it as it is.',
  range: '[0, 1]',
  source:
    'Recall of the list that a second stage is given; metrics of two-stage retrieval as in Nogueira and Cho, 2019',
  cutoff: 'required',
  settings: level,
  evaluate: (list, n, settings) => {
    const from = levelOf(list, settings);
    return over(hits(list, n, from), relevantJudged(list, from));
  },
  examples: [
    { what: 'Two of three are candidates', measure: 'CandidateRecall@3', list: '0 1 1 / 1', value: 2 / 3 },
    { what: 'Their order does not count', measure: 'CandidateRecall@3', list: '1 1 0 / 1', value: 2 / 3 },
  ],
});
