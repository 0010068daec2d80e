import { measureKind } from './kind.js';
import { hits } from './relevant.js';
import { level, levelOf } from './settings.js';

export const numRelRet = measureKind({
  name: 'NumRelRet',
  aliases: [],
  summary: 'Number of relevant documents retrieved, summed over the queries; with a cut-off, within it.',
  range: '[0, ∞)',
  source: 'trec_eval m_num_rel_ret.c',
  cutoff: 'optional',
  aggregate: 'sum',
  settings: level,
  evaluate: (list, k, settings) => hits(list, k, levelOf(list, settings)),
  examples: [
    { what: 'Two of three relevant documents were retrieved', measure: 'NumRelRet', list: '1 0 2 / 1', value: 2 },
    {
      what: 'One of the two tied places lies within the cut-off',
      measure: 'NumRelRet@1',
      list: '(1 0)',
      value: { expected: 1 / 2, min: 0, max: 1 },
    },
  ],
});
