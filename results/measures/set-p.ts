import { measureKind } from './kind.js';
import { relevantIn } from './relevant.js';
import { binary, levelOf } from './settings.js';
import { same } from './value.js';

export const setP = measureKind({
  name: 'SetP',
  aliases: ['set_precision'],
  summary: 'Precision of everything retrieved, as a set: the order does not count.',
  range: '[0, 1]',
  source: 'van Rijsbergen, Information Retrieval, 1979, ch. 7; trec_eval m_set_P.c',
  cutoff: 'none',
  settings: binary,
  evaluate: (list, _, settings) => {
    const found = relevantIn(list, 0, list.grades.length, levelOf(list, settings));
    return same(found === 0 ? 0 : found / list.grades.length);
  },
  examples: [
    { what: 'One of three retrieved documents is relevant', measure: 'SetP', list: '0 (1 -) / 1', value: 1 / 3 },
    { what: 'Nothing retrieved', measure: 'SetP', list: '/ 1', value: 0 },
  ],
});
