import type { GradedList } from '../../types.js';
import { measureWrapper } from './wrapper.js';

export const oracle = measureWrapper({
  name: 'Oracle',
  summary:
    'What the measure would be if the documents of the list stood in the order of their grades: what a perfect reranker of these candidates reaches.',
  range: '[0, 1]',
  source: 'upper bound of a second stage; the list is all that it can reorder',
  evaluate: (list, inner) => inner.evaluate(byGrade(list)),
  examples: [
    { what: 'The relevant document comes first', measure: 'Oracle(RR@10)', list: '0 - 1', value: 1 },
    {
      what: 'A relevant document that is not there stays away',
      measure: 'Oracle(AP@10)',
      list: '0 1 / 1',
      value: 1 / 2,
    },
    { what: 'Ties do not matter', measure: 'Oracle(P@1)', list: '(0 1)', value: 1 },
  ],
});

/** Grades descending, unjudged documents last, no ties. */
export function byGrade(list: GradedList): GradedList {
  const grades = [...list.grades].sort(
    (a, b) => (b ?? Number.NEGATIVE_INFINITY) - (a ?? Number.NEGATIVE_INFINITY) || 0,
  );
  return { ...list, grades, groupEnds: grades.map((_, i) => i + 1) };
}
