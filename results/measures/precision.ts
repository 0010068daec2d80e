import { measureKind } from './kind.js';
import { hits } from './relevant.js';
import { binary, levelOf } from './settings.js';
import { over } from './value.js';

export const precision = measureKind({
  name: 'P',
  aliases: ['Precision'],
  summary: 'Share of the first k ranks that hold a relevant document; k also when fewer were retrieved.',
  range: '[0, 1]',
  source: 'van Rijsbergen, Information Retrieval, 1979, ch. 7; trec_eval m_P.c; ties: McSherry and Najork, ECIR 2008',
  cutoff: 'required',
  settings: binary,
  evaluate: (list, k, settings) => over(hits(list, k, levelOf(list, settings)), k),
  examples: [
    { what: 'Three retrieved, two relevant, and still out of five', measure: 'P@5', list: '1 0 2', value: 2 / 5 },
    { what: 'Only grades from 2 count', measure: 'P(rel=2)@5', list: '1 0 2', value: 1 / 5 },
    {
      what: 'Two of the three tied places lie within the cut-off',
      measure: 'P@3',
      list: '0 (1 0 1)',
      value: { expected: 4 / 9, min: 1 / 3, max: 2 / 3 },
    },
  ],
});
