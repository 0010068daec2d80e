import { measureKind } from './kind.js';
import { hits } from './relevant.js';
import { between, zero } from './value.js';

export const unjudged = measureKind({
  name: 'Unjudged',
  aliases: ['unjudged_rate'],
  summary: 'Share of the retrieved documents within the cut-off that are not judged: what Judged leaves to 1.',
  range: '[0, 1]',
  better: 'less',
  source: 'trec_eval 10 m_unj_k.c, whose denominator is k where ours is min(k, n)',
  cutoff: 'optional',
  settings: {},
  evaluate: (list, k) => {
    const places = Math.min(k, list.grades.length);
    if (places === 0) return zero;
    const judged = hits(list, k, 0);
    return between((places - judged.max) / places, (places - judged.expected) / places, (places - judged.min) / places);
  },
  examples: [
    { what: 'One of three', measure: 'Unjudged@10', list: '1 - 0', value: 1 / 3 },
    {
      what: 'Two unjudged of three tied, two places within the cut-off',
      measure: 'Unjudged@2',
      list: '(- 0 -)',
      value: { expected: 2 / 3, min: 1 / 2, max: 1 },
    },
  ],
});
