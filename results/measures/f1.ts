import { measureKind } from './kind.js';
import { hits, relevantJudged } from './relevant.js';
import { binary, levelOf } from './settings.js';
import { over, zero } from './value.js';

export const f1 = measureKind({
  name: 'F1',
  aliases: ['F_measure'],
  summary: 'Harmonic mean of precision and recall at the cut-off: 2 h / (k + R) with h relevant documents within k.',
  range: '[0, 1]',
  source: 'van Rijsbergen, Information Retrieval, 1979, ch. 7; ties: McSherry and Najork, ECIR 2008',
  cutoff: 'required',
  settings: binary,
  evaluate: (list, k, settings) => {
    const level = levelOf(list, settings);
    const relevant = relevantJudged(list, level);
    const { expected, min, max } = hits(list, k, level);
    // k + R does not depend on the order either, so F1 is linear in the hits.
    return relevant === 0 ? zero : over({ expected: 2 * expected, min: 2 * min, max: 2 * max }, k + relevant);
  },
  examples: [
    { what: 'P = 2/4 and R = 2/3', measure: 'F1@4', list: '1 0 1 0 / 1', value: 4 / 7 },
    {
      what: 'The relevant document is first or second of the tie',
      measure: 'F1@1',
      list: '(0 1)',
      value: { expected: 1 / 2, min: 0, max: 1 },
    },
    { what: 'No relevant document at all', measure: 'F1@5', list: '0 -', value: 0 },
  ],
});
