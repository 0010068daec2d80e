import type { GradedList, TieValue } from '../types.js';
import { measureKind } from './kind.js';
import { isRelevant, relevantJudged } from './relevant.js';
import { binary, levelOf } from './settings.js';
import { between, over } from './value.js';

export const bpref = measureKind({
  name: 'Bpref',
  aliases: ['binary_preference'],
  summary:
    'How few judged non-relevant documents stand above the relevant ones; unjudged documents are not looked at, so it is robust where judgements are incomplete.',
  range: '[0, 1]',
  source: 'Buckley and Voorhees, SIGIR 2004; trec_eval m_bpref.c',
  cutoff: 'none',
  settings: binary,
  evaluate: (list, _, settings) => {
    const level = levelOf(list, settings);
    return over(preferences(list, level), relevantJudged(list, level));
  },
  examples: [
    {
      what: 'R = 2 and N = 2: the second relevant document stands below one of two',
      measure: 'Bpref',
      list: '1 0 - 1 / 0',
      value: (1 + 1 / 2) / 2,
    },
    { what: 'Nothing judged non-relevant is above: 1', measure: 'Bpref', list: '- 1 1 0', value: 1 },
    {
      what: 'Tied with the only non-relevant document',
      measure: 'Bpref',
      list: '(1 0)',
      value: { expected: 1 / 2, min: 0, max: 1 },
    },
  ],
});

interface Judged {
  readonly relevant: number;
  readonly others: number;
}

/**
 * Sum over the relevant documents of 1 − min(others above, R) / min(N, R). Of m others tied with a relevant document, each
 * number from 0 to m is equally likely to stand above it, and each relevant document alone is best first and worst last.
 */
function preferences(list: GradedList, level: number): TieValue {
  const relevant = relevantJudged(list, level);
  const bound = Math.min(relevant, list.judged.filter((grade) => grade >= 0 && grade < level).length);
  const preference = (above: number) => (above === 0 ? 1 : 1 - Math.min(above, relevant) / bound);
  let expected = 0;
  let min = 0;
  let max = 0;
  let above = 0;
  let start = 0;
  for (const end of list.groupEnds) {
    const group = judgedIn(list, start, end, level);
    let sum = 0;
    for (let before = 0; group.relevant > 0 && before <= group.others; before++) sum += preference(above + before);
    expected += (group.relevant * sum) / (group.others + 1);
    max += group.relevant * preference(above);
    above += group.others;
    min += group.relevant * preference(above);
    start = end;
  }
  return between(min, expected, max);
}

function judgedIn(list: GradedList, start: number, end: number, level: number): Judged {
  let relevant = 0;
  let others = 0;
  for (let i = start; i < end; i++) {
    const grade = list.grades[i];
    if (isRelevant(grade, level)) relevant++;
    else if (grade !== null && grade >= 0) others++;
  }
  return { relevant, others };
}
