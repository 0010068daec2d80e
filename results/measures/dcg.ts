import { tiedDcg } from './gain.js';
import { measureKind } from './kind.js';
import { graded, oneOf } from './settings.js';

export const dcg = measureKind({
  name: 'DCG',
  aliases: [],
  summary: 'Discounted cumulative gain, not normalized: the sum of gain / log2(rank + 1).',
  range: '[0, ∞)',
  source: 'Järvelin and Kekäläinen, TOIS 20(4), 2002; ties: McSherry and Najork, ECIR 2008',
  cutoff: 'optional',
  settings: { dcg: oneOf('log2', 'exp-log2'), ...graded },
  evaluate: (list, k, { dcg: gain }) => tiedDcg(list, k, gain),
  examples: [
    { what: 'Grade 3 at rank 1 and grade 2 at rank 3', measure: 'DCG@10', list: '3 0 2', value: 3 + 2 / 2 },
    {
      what: 'Tied grades 2 and 0: either may come first',
      measure: 'DCG',
      list: '(0 2)',
      value: { expected: 1 + 1 / Math.log2(3), min: 2 / Math.log2(3), max: 2 },
    },
    { what: 'Exponential gain of grade 3 is 7', measure: "DCG(dcg='exp-log2')@1", list: '3 3', value: 7 },
  ],
});
