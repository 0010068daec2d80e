import type { QueryId } from '../core/ids.js';
import type { Judgements, Pool, Ranking } from '../tasks/types.js';
import { type ForcedForm, forcedForms } from './candidates/cut.js';
import { type CandidateFacts, candidateFacts } from './candidates/facts.js';
import { poolIn } from './candidates/forms.js';
import { type SameCandidates, sameCandidates } from './candidates/same.js';
import { type StageValues, stageValues } from './candidates/stages.js';
import type { Measure } from './types.js';

export type { CandidateFacts } from './candidates/facts.js';
export type { SameCandidates } from './candidates/same.js';
export { meanOverTasks, type StageValues } from './candidates/stages.js';

/** What is known of candidates before anything reranks them, with the safeguard's rows and without. */
export type PoolReport = { readonly [Form in ForcedForm]: CandidateFacts };

/**
 * What a second stage made of its candidates on one task. Types and not interfaces, so that they are assignable to `Json`.
 *
 * - The oracle orders the candidates by grade, so it bounds every order of them; a relevant document that is no candidate
 *   stays away and costs the qrels-relative values, never the candidate-relative ones.
 * - A judged query without candidates, without a relevant document, or without a ranking counts with 0 in every mean.
 * - Ties count with their expected value over all orders; the oracle has none.
 */
export type CandidateReport = {
  readonly candidates: PoolReport;
  readonly check: SameCandidates;
  readonly values: readonly StageValues[];
};

export interface CandidateRequest {
  readonly judged: Judgements;
  /** What the second stage was given, best first, the safeguard's rows marked. */
  readonly pool: Pool;
  readonly reranked: ReadonlyMap<QueryId, Ranking>;
  /** Documents that the run was asked for; null where nothing was cut. */
  readonly depth: number | null;
  readonly measures: readonly Measure[];
  /** The grade from which a document is relevant, for measures that name none; 1. */
  readonly level?: number;
  /** Names the run in errors. */
  readonly run?: string;
}

/** Throws `not-finite` for a NaN score and `malformed` for a document that stands twice in one list. */
export function candidateReport(request: CandidateRequest): CandidateReport {
  const { judged, pool, level = 1 } = request;
  return {
    candidates: poolReport(judged, pool, level),
    check: sameCandidates(request),
    values: stageValues(request),
  };
}

export function poolReport(judged: Judgements, pool: Pool, level = 1): PoolReport {
  const of = (form: ForcedForm) => candidateFacts(judged, poolIn(pool, form), level);
  return Object.fromEntries(forcedForms.map((form) => [form, of(form)])) as PoolReport;
}
