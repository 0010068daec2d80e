import { parseMeasure } from '../measures/parse.js';
import type { Scores } from '../score.js';
import type { Measure } from '../types.js';
import type { TrecLine } from './measures.js';

/** What `undefinedRows` looks at. */
export const countsOfRows: readonly Measure[] = ['NumRet', 'NumRel'].map(parseMeasure);

/** How printf writes 0/0 on x86. */
export const undefinedText = '  -nan';

/**
 * The rows of the queries where trec_eval divides 0 by 0: `-J` left no document, and the recall asks for none
 * (m_iprec_at_recall.c, m_11pt_avg.c). Ours is 0 there; its own layout has to say what it says.
 */
export function undefinedRows({ recalls = [] }: TrecLine, { queries, values }: Scores): ReadonlySet<number> {
  const [retrieved, relevant] = countsOfRows.map(({ name }) => values.get(name)?.expected);
  if (retrieved === undefined || relevant === undefined) return new Set();
  const isUndefined = (row: number) =>
    retrieved[row] === 0 && recalls.some((recall) => Math.round(recall * relevant[row]) === 0);
  return new Set([...queries.keys()].filter(isUndefined));
}
