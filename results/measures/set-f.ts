import type { GradedList } from '../types.js';
import { measureKind } from './kind.js';
import { relevantIn, relevantJudged } from './relevant.js';
import { binary, levelOf, positive } from './settings.js';
import { same } from './value.js';

export const setF = measureKind({
  name: 'SetF',
  aliases: [],
  summary:
    'F of everything retrieved, as a set: (1 + β²) P R / (β² P + R), where recall counts β times as much as precision (1 when not said).',
  range: '[0, 1]',
  source: 'van Rijsbergen, Information Retrieval, 1979, ch. 7; trec_eval m_set_F.c',
  cutoff: 'none',
  settings: { beta: positive(1), ...binary },
  evaluate: (list, _, { beta, ...settings }) => same(setFValue(list, beta * beta, levelOf(list, settings))),
  examples: [
    { what: 'P = 1/3 and R = 1/2', measure: 'SetF', list: '0 (1 -) / 1', value: 2 / 5 },
    { what: 'Recall counts twice', measure: 'SetF(beta=2)', list: '0 (1 -) / 1', value: 5 / 6 / (4 / 3 + 1 / 2) },
  ],
});

/** (1 + w) P R / (w P + R), where w is β². */
export function setFValue(list: GradedList, weight: number, level: number): number {
  const found = relevantIn(list, 0, list.grades.length, level);
  if (found === 0) return 0;
  const precision = found / list.grades.length;
  const recall = found / relevantJudged(list, level);
  return ((1 + weight) * precision * recall) / (weight * precision + recall);
}
