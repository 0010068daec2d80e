import type { GradedList } from '../types.js';

/**
 * A list in a line, for worked examples: grades in rank order, `-` for an unjudged document, parentheses around tied
 * ones, and after `/` the grades of judged documents that were not retrieved. `1 (0 2) - / 3`.
 */
export function listFrom(notation: string): GradedList {
  const [retrieved = '', missed = ''] = notation.split('/');
  const grades: (number | null)[] = [];
  const groupEnds: number[] = [];
  for (const [, tied, single] of retrieved.matchAll(/\(([^)]*)\)|(\S+)/g)) {
    grades.push(...gradesIn(tied ?? single));
    groupEnds.push(grades.length);
  }
  const judged = [...grades, ...gradesIn(missed)].filter((grade) => grade !== null).sort((a, b) => b - a);
  return { grades, groupEnds, judged, level: 1 };
}

function gradesIn(text: string): (number | null)[] {
  return (text.match(/\S+/g) ?? []).map((word) => (word === '-' ? null : Number(word)));
}
