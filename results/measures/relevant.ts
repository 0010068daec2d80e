import type { GradedList, TieValue } from '../types.js';
import { between } from './value.js';

/** Unjudged documents (null) are relevant at no level, negative grades at none that can be asked for. */
export function isRelevant(grade: number | null, level: number): boolean {
  return grade !== null && grade >= level;
}

/** Relevant documents among the ranks [start, end). */
export function relevantIn(list: GradedList, start: number, end: number, level: number): number {
  let count = 0;
  for (let i = start; i < end; i++) if (isRelevant(list.grades[i], level)) count++;
  return count;
}

/** R: all relevant documents of the query, retrieved or not. */
export function relevantJudged(list: GradedList, level: number): number {
  let count = 0;
  while (count < list.judged.length && list.judged[count] >= level) count++;
  return count;
}

/**
 * Relevant documents among the first k ranks. Only the group that straddles k makes this random; there it is
 * hypergeometric (McSherry and Najork, ECIR 2008): t of g places are inside, r of g documents relevant.
 */
export function hits(list: GradedList, k: number, level: number): TieValue {
  let expected = 0;
  let min = 0;
  let max = 0;
  let start = 0;
  for (const end of list.groupEnds) {
    if (start >= k) break;
    const size = end - start;
    const inside = Math.min(size, k - start);
    const relevant = relevantIn(list, start, end, level);
    expected += (relevant * inside) / size;
    min += Math.max(0, inside - (size - relevant));
    max += Math.min(relevant, inside);
    start = end;
  }
  return between(min, expected, max);
}
