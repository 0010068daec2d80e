import type { GradedList, TieValue } from '../types.js';
import { measureKind } from './kind.js';
import { geometricSum } from './rbp.js';
import { judgedOnly, persistence } from './settings.js';
import { between } from './value.js';

export const rbpResidual = measureKind({
  name: 'RBPResidual',
  aliases: ['rbp_resid'],
  summary:
    'How much RBP could still gain: the weight of unjudged documents and of all ranks below the list. RBP + RBPResidual is its upper bound.',
  range: '[0, 1]',
  better: 'less',
  source: 'Moffat and Zobel, TOIS 27(1), 2008, section 3.4',
  cutoff: 'optional',
  settings: { p: persistence, judged_only: judgedOnly },
  evaluate: (list, k, { p }) => residual(list, k, p),
  examples: [
    {
      what: 'Rank 2 is unjudged, and nothing is known below rank 3',
      measure: 'RBPResidual(p=0.5)',
      list: '1 - 0',
      value: 0.25 + 0.125,
    },
    { what: 'Ranks below the cut-off are residual too', measure: 'RBPResidual(p=0.5)@1', list: '1 - 0', value: 0.5 },
    {
      what: 'An unjudged document tied with a judged one',
      measure: 'RBPResidual(p=0.5)',
      list: '(1 -)',
      value: { expected: 0.25 + 0.375, min: 0.25 + 0.25, max: 0.25 + 0.5 },
    },
  ],
});

/** Negative grades are unjudged, as everywhere. The tail from rank n + 1 weighs p^n. */
function residual(list: GradedList, k: number, p: number): TieValue {
  const unjudged = geometricSum(list, { k, p, counts: (grade) => grade === null || grade < 0 });
  const tail = p ** Math.min(k, list.grades.length);
  const plus = (value: number) => Math.min(1, value + tail);
  return between(plus(unjudged.min), plus(unjudged.expected), plus(unjudged.max));
}
