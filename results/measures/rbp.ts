import type { GradedList, TieValue } from '../types.js';
import { measureKind } from './kind.js';
import { isRelevant } from './relevant.js';
import { binary, levelOf, persistence } from './settings.js';
import { between } from './value.js';

export const rbp = measureKind({
  name: 'RBP',
  aliases: ['rank_biased_precision'],
  summary:
    'Rank-biased precision: relevant documents weighed by (1 − p) p^(rank − 1), what a user sees who goes on to the next with probability p (0.8 when not said).',
  range: '[0, 1]',
  source: 'Moffat and Zobel, TOIS 27(1), 2008; spelling of ir_measures',
  cutoff: 'optional',
  settings: { p: persistence, ...binary },
  evaluate: (list, k, { p, ...settings }) => {
    const level = levelOf(list, settings);
    return geometricSum(list, { k, p, counts: (grade) => isRelevant(grade, level) });
  },
  examples: [
    { what: 'Relevant at ranks 1 and 3, p = 0.5', measure: 'RBP(p=0.5)', list: '1 0 1', value: 0.5 + 0.125 },
    { what: 'Up to rank 2', measure: 'RBP(p=0.5)@2', list: '1 0 1', value: 0.5 },
    {
      what: 'First or second of a tie',
      measure: 'RBP(p=0.5)',
      list: '(1 0)',
      value: { expected: 0.375, min: 0.25, max: 0.5 },
    },
  ],
});

interface Weighing {
  readonly k: number;
  readonly p: number;
  readonly counts: (grade: number | null) => boolean;
}

/** Sum of (1 − p) p^(rank − 1) over the ranks up to k whose document counts. */
export function geometricSum(list: GradedList, { k, p, counts }: Weighing): TieValue {
  let expected = 0;
  let min = 0;
  let max = 0;
  let start = 0;
  for (const end of list.groupEnds) {
    if (start >= k) break;
    const size = end - start;
    let counted = 0;
    for (let i = start; i < end; i++) if (counts(list.grades[i])) counted++;
    // Weights fall with the rank: first is most, last is least, and each place is as likely to be one that counts.
    for (let j = 0; j < Math.min(size, k - start); j++) {
      const weight = (1 - p) * p ** (start + j);
      expected += (weight * counted) / size;
      if (j < counted) max += weight;
      if (j >= size - counted) min += weight;
    }
    start = end;
  }
  return between(min, expected, max);
}
