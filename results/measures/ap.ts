import type { GradedList, TieValue } from '../types.js';
import { measureKind } from './kind.js';
import { relevantIn, relevantJudged } from './relevant.js';
import { binary, levelOf, oneOf } from './settings.js';
import { between, over } from './value.js';

export const ap = measureKind({
  name: 'AP',
  aliases: ['MAP', 'map_cut', 'average_precision', 'mean_average_precision'],
  summary:
    "Mean of the precisions at the ranks of the relevant documents. Divided by all relevant ones, R; with norm='min' by min(R, k).",
  range: '[0, 1]',
  source: 'Harman, IP&M 28(4), 1992; trec_eval m_map.c and m_map_cut.c; ties: McSherry and Najork, ECIR 2008',
  cutoff: 'optional',
  settings: { norm: oneOf('R', 'min'), ...binary },
  evaluate: (list, k, { norm, ...settings }) => {
    const relevant = relevantJudged(list, levelOf(list, settings));
    const sum = precisionSum(list, k, levelOf(list, settings));
    return over(sum, norm === 'min' ? Math.min(relevant, k) : relevant);
  },
  examples: [
    {
      what: 'Relevant at ranks 1 and 3, a third one not retrieved',
      measure: 'AP',
      list: '1 0 1 / 1',
      value: (1 + 2 / 3) / 3,
    },
    { what: 'The cut-off does not change the denominator R = 3', measure: 'AP@2', list: '1 0 1 / 1', value: 1 / 3 },
    { what: 'Divided by min(R, k) = 2 instead', measure: "AP(norm='min')@2", list: '1 0 1 / 1', value: 1 / 2 },
    {
      what: 'One relevant of two tied: first or second',
      measure: 'AP@10',
      list: '(1 0)',
      value: { expected: (1 + 1 / 2) / 2, min: 1 / 2, max: 1 },
    },
  ],
});

type Sums = { -readonly [K in keyof TieValue]: TieValue[K] };

interface Group {
  readonly start: number;
  readonly size: number;
  readonly relevant: number;
  /** Relevant documents in the groups above. */
  readonly above: number;
}

/** Precisions at the ranks of the relevant documents up to k. */
export function precisionSum(list: GradedList, k: number, level: number): TieValue {
  const sums: Sums = { expected: 0, min: 0, max: 0 };
  let start = 0;
  let above = 0;
  for (const end of list.groupEnds) {
    if (start >= k) break;
    const relevant = relevantIn(list, start, end, level);
    if (relevant > 0) addGroup(sums, { start, size: end - start, relevant, above }, k);
    above += relevant;
    start = end;
  }
  return between(sums.min, sums.expected, sums.max);
}

/**
 * A place of the group is relevant with r/g, and then (j-1)(r-1)/(g-1) of those before it in the group are expected to be.
 * The extremes put the relevant ones first, or last.
 */
function addGroup(sums: Sums, { start, size, relevant, above }: Group, k: number): void {
  const inside = Math.min(size, k - start);
  const share = size > 1 ? (relevant - 1) / (size - 1) : 0;
  for (let j = 1; j <= inside; j++) sums.expected += ((relevant / size) * (above + 1 + (j - 1) * share)) / (start + j);
  for (let j = 1; j <= Math.min(relevant, inside); j++) sums.max += (above + j) / (start + j);
  const others = size - relevant;
  for (let j = 1; others + j <= inside; j++) sums.min += (above + j) / (start + others + j);
}
