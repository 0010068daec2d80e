import type { Candidates } from '../../tasks/types.js';

/** Rows that the safeguard put into a pool, and the same pool without them. */
export const forcedForms = ['with', 'without'] as const;
export type ForcedForm = (typeof forcedForms)[number];

/**
 * What a second stage at that depth is given of a list: the first `depth` rows that no safeguard put in, all tied with the
 * last of them, and the forced rows at any depth where they are wanted. The same cut as a pipeline's own.
 */
export function candidatesAt({ docs, scores, forced }: Candidates, depth: number, form: ForcedForm): Candidates {
  const isForced = new Set(forced);
  const kept: number[] = [];
  let free = 0;
  let last = Number.NaN;
  for (let row = 0; row < docs.length; row++) {
    if (isForced.has(docs[row])) {
      if (form === 'with') kept.push(row);
    } else if (free < depth || (depth > 0 && scores[row] === last)) {
      kept.push(row);
      last = scores[row];
      free++;
    }
  }
  return {
    docs: kept.map((row) => docs[row]),
    scores: kept.map((row) => scores[row]),
    forced: form === 'with' ? forced : [],
  };
}
