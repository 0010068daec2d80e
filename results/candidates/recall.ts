import type { QueryId } from '../../core/ids.js';
import type { Judgements, Ranking } from '../../tasks/types.js';
import { parseMeasure } from '../measures/parse.js';
import { type Scores, scoreRun } from '../score.js';

interface RecallRequest {
  readonly judged: Judgements;
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
  /** Documents of the longest list, so that no list is cut and no tie is open. */
  readonly deepest: number;
  readonly level: number;
}

/** `CandidateRecall@N` over whole lists, and its mean; null where no query counts. */
export function recallOf(request: RecallRequest): { readonly measure: string; readonly value: number | null } {
  const { measure, scores } = recallScores(request);
  return { measure, value: scores.totals.get(measure)?.expected ?? null };
}

/** The same by query. */
export function recallScores({ judged, rankings, deepest, level }: RecallRequest): {
  readonly measure: string;
  readonly scores: Scores;
} {
  const measure = parseMeasure(`CandidateRecall@${Math.max(1, deepest)}`);
  return { measure: measure.name, scores: scoreRun({ rankings, judged, measures: [measure], level }) };
}
