import { measureKind } from './kind.js';
import { same } from './value.js';

export const numQ = measureKind({
  name: 'NumQ',
  aliases: [],
  summary: 'Number of queries that count.',
  range: '[0, ∞)',
  source: 'trec_eval m_num_q.c',
  cutoff: 'none',
  aggregate: 'sum',
  settings: {},
  evaluate: () => same(1),
  examples: [
    { what: 'A query is one query', measure: 'NumQ', list: '1 0', value: 1 },
    { what: 'One without results too', measure: 'NumQ', list: '/ 1', value: 1 },
  ],
});
