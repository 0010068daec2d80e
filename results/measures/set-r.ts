import { measureKind } from './kind.js';
import { relevantIn, relevantJudged } from './relevant.js';
import { binary, levelOf } from './settings.js';
import { same } from './value.js';

export const setR = measureKind({
  name: 'SetR',
  aliases: ['set_recall'],
  summary: 'Recall of everything retrieved, as a set: the order does not count.',
  range: '[0, 1]',
  source: 'van Rijsbergen, Information Retrieval, 1979, ch. 7; trec_eval m_set_recall.c',
  cutoff: 'none',
  settings: binary,
  evaluate: (list, _, settings) => {
    const level = levelOf(list, settings);
    const found = relevantIn(list, 0, list.grades.length, level);
    return same(found === 0 ? 0 : found / relevantJudged(list, level));
  },
  examples: [
    { what: 'One of two relevant documents was retrieved', measure: 'SetR', list: '0 (1 -) / 1', value: 1 / 2 },
    { what: 'None is relevant', measure: 'SetR', list: '0 -', value: 0 },
  ],
});
