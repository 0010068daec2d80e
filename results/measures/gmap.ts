import { precisionSum } from './ap.js';
import { measureKind } from './kind.js';
import { relevantJudged } from './relevant.js';
import { binary, levelOf } from './settings.js';
import { over } from './value.js';

/** GMAP is AP for one query: only the mean over the queries differs. */
export const gmap = measureKind({
  name: 'GMAP',
  aliases: ['gm_map', 'geometric_map'],
  summary:
    'Geometric mean over the queries of AP, each at least 0.00001: a query that a system fails weighs more than in the mean. Over ties, that of the expected values.',
  range: '[0, 1]',
  source: 'Robertson, CIKM 2006; trec_eval m_gm_map.c',
  cutoff: 'none',
  aggregate: 'geometric-mean',
  settings: binary,
  evaluate: (list, k, settings) => {
    const level = levelOf(list, settings);
    return over(precisionSum(list, k, level), relevantJudged(list, level));
  },
  examples: [
    { what: 'One query: its AP', measure: 'GMAP', list: '1 0 1 / 1', value: (1 + 2 / 3) / 3 },
    { what: 'A tie', measure: 'GMAP', list: '(1 0)', value: { expected: 3 / 4, min: 1 / 2, max: 1 } },
  ],
});
