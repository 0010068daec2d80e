import { byGrade } from './oracle.js';
import { measureWrapper } from './wrapper.js';

export const headroom = measureWrapper({
  name: 'Headroom',
  summary: 'What a perfect reranker of the list would add to the measure: Oracle minus the value as it stands.',
  range: '[0, 1]',
  source: 'upper bound of a second stage; the list is all that it can reorder',
  evaluate: (list, inner) => {
    const best = inner.evaluate(byGrade(list)).expected;
    const { expected, min, max } = inner.evaluate(list);
    return { expected: best - expected, min: best - max, max: best - min };
  },
  examples: [
    { what: 'From rank 3 to rank 1', measure: 'Headroom(RR@10)', list: '0 - 1', value: 1 - 1 / 3 },
    {
      what: 'First or second of a tie',
      measure: 'Headroom(RR@10)',
      list: '(0 1)',
      value: { expected: 1 / 4, min: 0, max: 1 / 2 },
    },
    { what: 'Nothing to gain', measure: 'Headroom(P@1)', list: '1 0 1', value: 0 },
  ],
});
