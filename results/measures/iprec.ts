import type { GradedList, TieValue } from '../types.js';
import { interpolatedPrecision } from './interpolated.js';
import { measureKind } from './kind.js';
import { relevantJudged } from './relevant.js';
import { binary, levelOf, oneOf } from './settings.js';
import { over } from './value.js';

/**
 * How a recall times R becomes a number of documents: `up` from a tenth on, as trec_eval 9 and so ir_measures, or to the
 * `nearest`, as trec_eval 10.
 */
type Rounding = 'up' | 'nearest';

export const iprec = measureKind({
  name: 'IPrec',
  aliases: ['iprec_at_recall', '11pt_avg', 'interpolated_precision'],
  summary:
    'Interpolated precision: the best precision at a recall of at least the one given. Without one, the mean over the eleven recalls 0, 0.1, …, 1.',
  range: '[0, 1]',
  source:
    'Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, ch. 8.4; trec_eval m_iprec_at_recall.c and m_11pt_avg.c, of which version 9 rounds up and version 10 to the nearest; ties: checked against enumeration',
  cutoff: 'optional',
  cutoffs: 'recall',
  settings: { rounding: oneOf('up', 'nearest'), ...binary },
  evaluate: (list, recall, { rounding, ...settings }) => {
    const level = levelOf(list, settings);
    return Number.isFinite(recall)
      ? interpolatedAt(list, recall, { rounding, level })
      : meanInterpolated(list, elevenPoints, { rounding, level });
  },
  examples: [
    {
      what: 'Relevant at ranks 1 and 4 of R = 2: from recall 0.6 on',
      measure: 'IPrec@0.6',
      list: '1 0 0 1',
      value: 2 / 4,
    },
    { what: 'The best precision is that of rank 3', measure: 'IPrec@0.0', list: '0 1 1 / 1', value: 2 / 3 },
    { what: 'R = 4 and only half of it retrieved', measure: 'IPrec@0.6', list: '1 1 / 1 1', value: 0 },
    {
      what: '0.2 of R = 2 is no document to the nearest, and so asks for no recall; up, it is one',
      measure: "IPrec(rounding='nearest')@0.2",
      list: '1 0 0 1',
      value: 1,
    },
    {
      what: 'Eleven recalls: 1 at those up to 0.5, 1/2 at the five above',
      measure: 'IPrec',
      list: '1 0 0 1',
      value: 8.5 / 11,
    },
    {
      what: 'First, second or third of three tied',
      measure: 'IPrec@1.0',
      list: '(0 1 0)',
      value: { expected: (1 + 1 / 2 + 1 / 3) / 3, min: 1 / 3, max: 1 },
    },
  ],
});

interface Interpolation {
  readonly rounding: Rounding;
  readonly level: number;
}

export const elevenPoints = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

function interpolatedAt(list: GradedList, recall: number, { rounding, level }: Interpolation): TieValue {
  const exact = recall * relevantJudged(list, level);
  return interpolatedPrecision(list, rounding === 'up' ? Math.floor(exact + 0.9) : Math.round(exact), level);
}

/** The mean over recalls in ascending order. Summed from the highest on, which is trec_eval's order and so its last digit. */
export function meanInterpolated(list: GradedList, recalls: readonly number[], how: Interpolation): TieValue {
  const sum = { expected: 0, min: 0, max: 0 };
  for (const recall of recalls.toReversed()) {
    const value = interpolatedAt(list, recall, how);
    sum.expected += value.expected;
    sum.min += value.min;
    sum.max += value.max;
  }
  return over(sum, recalls.length);
}
