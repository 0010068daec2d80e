import type { Judgements } from '../../tasks/types.js';
import type { Rankings } from './rows.js';

/**
 * Whether a run says what the judgements say: every document is judged, and its score is its grade. JSON of judgements reads
 * as a run, and scores perfectly; so does an honest oracle, so this is for a warning. One document tells nothing.
 */
export function echoesGrades(rankings: Rankings, judged: Judgements): boolean {
  let documents = 0;
  for (const [query, { docs, scores }] of rankings) {
    const grades = judged.get(query);
    documents += docs.length;
    if (!docs.every((doc, i) => grades?.get(doc) === scores[i])) return false;
  }
  return documents > 1;
}
