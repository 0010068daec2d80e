import { measureKind } from './kind.js';
import { hits } from './relevant.js';
import { over } from './value.js';

export const judged = measureKind({
  name: 'Judged',
  aliases: [],
  summary:
    'Share of the retrieved documents within the cut-off that are judged: out of min(k, n) for n retrieved. Negative grades are unjudged, as in trec_eval.',
  range: '[0, 1]',
  source: 'ir_measures Judged; trec_eval 10 m_unj_k.c, of which it is the rest to 1 when n ≥ k',
  cutoff: 'optional',
  settings: {},
  // Judged is relevant from grade 0; the denominator is the same in every order, so ties are as for the hits.
  evaluate: (list, k) => over(hits(list, k, 0), Math.min(k, list.grades.length)),
  examples: [
    { what: 'Two of three are judged, and three is all there is', measure: 'Judged@10', list: '1 - 0', value: 2 / 3 },
    {
      what: 'One judged document among three tied, two places within the cut-off',
      measure: 'Judged@2',
      list: '(- 0 -)',
      value: { expected: 1 / 3, min: 0, max: 1 / 2 },
    },
    { what: 'A negative grade was in the pool and never judged', measure: 'Judged@2', list: '-1 0', value: 1 / 2 },
  ],
});
