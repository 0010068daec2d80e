import type { GradedList, TieValue } from '../types.js';
import { measureKind } from './kind.js';
import { relevantIn } from './relevant.js';
import { binary, levelOf } from './settings.js';
import { between, zero } from './value.js';

export const rr = measureKind({
  name: 'RR',
  aliases: ['MRR', 'recip_rank', 'reciprocal_rank', 'mean_reciprocal_rank'],
  summary: 'One over the rank of the first relevant document; 0 when there is none within the cut-off.',
  range: '[0, 1]',
  source:
    'Kantor and Voorhees, Information Retrieval 2, 2000; trec_eval m_recip_rank.c; ties: McSherry and Najork, ECIR 2008',
  cutoff: 'optional',
  settings: binary,
  evaluate: (list, k, settings) => reciprocalRank(list, k, levelOf(list, settings)),
  examples: [
    { what: 'First relevant at rank 3', measure: 'RR@10', list: '0 - 1 1', value: 1 / 3 },
    { what: 'It stands below the cut-off', measure: 'RR@2', list: '0 - 1 1', value: 0 },
    {
      what: 'One relevant among three tied: ranks 1, 2, 3 are equally likely, and rank 3 is cut off',
      measure: 'RR@2',
      list: '(0 1 0)',
      value: { expected: (1 + 1 / 2) / 3, min: 0, max: 1 },
    },
  ],
});

/** Only the first group with a relevant document matters: the first of its r relevant among g comes at place j + 1. */
function reciprocalRank(list: GradedList, k: number, level: number): TieValue {
  let start = 0;
  for (const end of list.groupEnds) {
    if (start >= k) return zero;
    const relevant = relevantIn(list, start, end, level);
    if (relevant > 0) return withinGroup({ start, size: end - start, relevant }, k);
    start = end;
  }
  return zero;
}

interface Group {
  readonly start: number;
  readonly size: number;
  readonly relevant: number;
}

/** P(place j) = C(g-j-1, r-1) / C(g, r), by its recurrence: factorials overflow at 171 documents. */
function withinGroup({ start, size, relevant }: Group, k: number): TieValue {
  const others = size - relevant;
  const places = Math.min(size, k - start, others + 1);
  let expected = 0;
  let probability = relevant / size;
  for (let j = 0; j < places; j++) {
    expected += probability / (start + j + 1);
    probability *= (others - j) / (size - j - 1);
  }
  const worst = start + others + 1;
  return between(worst <= k ? 1 / worst : 0, expected, 1 / (start + 1));
}
