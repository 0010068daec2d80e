import { measureKind } from './kind.js';
import { same } from './value.js';

export const numRet = measureKind({
  name: 'NumRet',
  aliases: [],
  summary: 'Number of documents retrieved, summed over the queries.',
  range: '[0, ∞)',
  source: 'trec_eval m_num_ret.c',
  cutoff: 'none',
  aggregate: 'sum',
  settings: {},
  evaluate: (list) => same(list.grades.length),
  examples: [
    { what: 'Judged or not, all that were retrieved', measure: 'NumRet', list: '1 (- 0) / 2', value: 3 },
    { what: 'Nothing retrieved', measure: 'NumRet', list: '/ 1', value: 0 },
  ],
});
