import { measureKind } from './kind.js';
import { relevantJudged } from './relevant.js';
import { level, levelOf } from './settings.js';
import { same } from './value.js';

export const numRel = measureKind({
  name: 'NumRel',
  aliases: [],
  summary: 'Number of relevant documents that there are, summed over the queries.',
  range: '[0, ∞)',
  source: 'trec_eval m_num_rel.c',
  cutoff: 'none',
  aggregate: 'sum',
  settings: level,
  evaluate: (list, _, settings) => same(relevantJudged(list, levelOf(list, settings))),
  examples: [
    { what: 'Retrieved or not', measure: 'NumRel', list: '1 0 - / 2 1 0', value: 3 },
    { what: 'Those of grade 2 and more', measure: 'NumRel(rel=2)', list: '1 0 / 2 3', value: 2 },
  ],
});
