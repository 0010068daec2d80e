import type { GradedList, TieValue } from '../types.js';
import { measureKind } from './kind.js';
import { relevantIn } from './relevant.js';
import { binary, levelOf } from './settings.js';
import { between, same, zero } from './value.js';

export const success = measureKind({
  name: 'Success',
  aliases: ['hit', 'hit_rate', 'accuracy', 'acc'],
  summary: 'Whether at least one relevant document stands within the cut-off.',
  range: '[0, 1]',
  source: 'trec_eval m_success.c; ties: hypergeometric, checked against enumeration',
  cutoff: 'optional',
  settings: binary,
  evaluate: (list, k, settings) => anyRelevant(list, k, levelOf(list, settings)),
  examples: [
    { what: 'A relevant document at rank 3', measure: 'Success@3', list: '0 - 1', value: 1 },
    { what: 'It stands below the cut-off', measure: 'Success@2', list: '0 - 1', value: 0 },
    {
      what: 'One relevant among four tied, two places within the cut-off: missed in half of the orders',
      measure: 'Success@2',
      list: '(0 1 0 0)',
      value: { expected: 1 / 2, min: 0, max: 1 },
    },
  ],
});

function anyRelevant(list: GradedList, k: number, level: number): TieValue {
  let start = 0;
  for (const end of list.groupEnds) {
    if (start >= k) return zero;
    const size = end - start;
    const inside = Math.min(size, k - start);
    const relevant = relevantIn(list, start, end, level);
    if (relevant > 0) return inside === size ? same(1) : straddling(size, inside, relevant);
    start = end;
  }
  return zero;
}

/** 1 - C(g-r, t) / C(g, t), as a product: none of the t places inside holds one of the r relevant. */
function straddling(size: number, inside: number, relevant: number): TieValue {
  const others = size - relevant;
  let missed = 1;
  for (let j = 0; j < inside; j++) missed *= Math.max(0, others - j) / (size - j);
  return between(inside > others ? 1 : 0, 1 - missed, 1);
}
