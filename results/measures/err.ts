import { TenbinError } from '../../core/errors.js';
import type { GradedList, TieValue } from '../types.js';
import { measureKind } from './kind.js';
import { graded, highestGrade } from './settings.js';
import { between } from './value.js';

export const err = measureKind({
  name: 'ERR',
  aliases: ['expected_reciprocal_rank'],
  summary:
    'Expected reciprocal rank of the document at which a user is satisfied, which one of grade g does with (2^g − 1) / 2^max; max is 4 when not said, as in gdeval.',
  range: '[0, 1]',
  source: "Chapelle, Metlzer, Zhang and Grinspan, CIKM 2009; gdeval.pl (ir_measures' ERR)",
  cutoff: 'optional',
  settings: { max: highestGrade, ...graded },
  evaluate: (list, k, { max }) => cascade(list, k, max),
  examples: [
    {
      what: 'Grades 2 and 1 of at most 2 satisfy with 3/4 and 1/4',
      measure: 'ERR(max=2)',
      list: '2 1',
      value: 3 / 4 + ((1 / 4) * (1 / 4)) / 2,
    },
    { what: 'Up to rank 1', measure: 'ERR(max=2)@1', list: '2 1', value: 3 / 4 },
    {
      what: 'Either may come first',
      measure: 'ERR(max=1)',
      list: '(1 0)',
      value: { expected: (1 / 2 + 1 / 4) / 2, min: 1 / 4, max: 1 / 2 },
    },
  ],
});

/**
 * In a random order of a group with chances q to go on, place t is reached and left satisfied with ē(t) − ē(t + 1), where ē(t)
 * is the mean product of t of the q: elementary symmetric polynomials over their number of terms. The extremes have the
 * grades descending, or ascending. What goes on behind a whole group does not depend on its order.
 */
function cascade(list: GradedList, k: number, max: number): TieValue {
  let expected = 0;
  let low = 0;
  let high = 0;
  let reached = 1;
  let start = 0;
  for (const end of list.groupEnds) {
    if (start >= k) break;
    const inside = Math.min(end - start, k - start);
    const goesOn = list.grades.slice(start, end).map((grade) => 1 - satisfaction(grade, max));
    goesOn.sort((a, b) => a - b);
    const means = meanProducts(goesOn, inside);
    for (let t = 0; t < inside; t++) expected += (reached * (means[t] - means[t + 1])) / (start + t + 1);
    high += reached * inOrder(goesOn, start, inside);
    low += reached * inOrder(goesOn.toReversed(), start, inside);
    reached *= goesOn.reduce((product, q) => product * q, 1);
    start = end;
  }
  return between(low, expected, high);
}

function satisfaction(grade: number | null, max: number): number {
  if (grade === null || grade <= 0) return 0;
  if (grade <= max) return (2 ** grade - 1) / 2 ** max;
  throw new TenbinError('usage', {
    what: 'ERR met a grade above the highest of its scale',
    value: `${grade}, above max=${max}`,
    fix: `Write for example \`ERR(max=${grade})@20\`.`,
  });
}

/** ē(0) … ē(top): means over all subsets of that size of the products of their members. All terms are positive. */
function meanProducts(values: readonly number[], top: number): Float64Array {
  const means = new Float64Array(top + 1);
  means[0] = 1;
  values.forEach((q, m) => {
    for (let t = Math.min(top, m + 1); t >= 1; t--) {
      means[t] = ((m + 1 - t) * means[t] + t * q * means[t - 1]) / (m + 1);
    }
  });
  return means;
}

function inOrder(goesOn: readonly number[], start: number, inside: number): number {
  let sum = 0;
  let reached = 1;
  for (let t = 0; t < inside; t++) {
    sum += (reached * (1 - goesOn[t])) / (start + t + 1);
    reached *= goesOn[t];
  }
  return sum;
}
