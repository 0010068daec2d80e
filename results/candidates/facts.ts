import type { QueryId } from '../../core/ids.js';
import type { Judgements, Pool } from '../../tasks/types.js';
import { isRelevant } from '../measures/relevant.js';
import { recallOf } from './recall.js';

/**
 * What a list of candidates holds of what is relevant. Types and not interfaces, so that they are assignable to `Json`.
 *
 * - Coverage is over the queries that have a relevant document at all: one without cannot be covered.
 * - `candidateRecall` is a mean over every judged query, as all measures are: a query without a relevant document has 0.
 */
export type CandidateFacts = {
  /** Judged queries. */
  readonly queries: number;
  readonly queriesWithRelevant: number;
  /** Candidates of a judged query; null where there is none. */
  readonly depth: { readonly min: number; readonly mean: number; readonly max: number } | null;
  /** Share of the queries with a relevant document that have one among their candidates; null without such queries. */
  readonly queryCoverage: number | null;
  /** Share of all relevant documents of all queries together that are candidates; null where there is none. */
  readonly relevantCoverage: number | null;
  readonly relevant: number;
  readonly relevantCandidates: number;
  /** `CandidateRecall@N`, N the longest list: mean over the queries, which no reranking can change. */
  readonly candidateRecall: { readonly measure: string; readonly value: number | null };
  /** Rows that the safeguard put in, and the queries that have one. */
  readonly forcedRows: number;
  readonly forcedQueries: number;
};

/** Facts of the judged queries; `level` is the grade from which a document is relevant. */
export function candidateFacts(judged: Judgements, pool: Pool, level = 1): CandidateFacts {
  const rows = [...judged.keys()].map((query) => rowOf(judged, pool, query, level));
  const sum = (of: (row: QueryRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const [relevant, relevantCandidates] = [sum((row) => row.relevant), sum((row) => row.found)];
  const queriesWithRelevant = sum((row) => Number(row.relevant > 0));
  const depths = rows.map(({ depth }) => depth);
  const mean = sum(({ depth }) => depth) / rows.length;
  const deepest = depths.reduce((most, depth) => Math.max(most, depth), 0);
  const least = depths.reduce((few, depth) => Math.min(few, depth), deepest);
  return {
    queries: rows.length,
    queriesWithRelevant,
    depth: rows.length === 0 ? null : { min: least, mean, max: deepest },
    queryCoverage: share(
      sum((row) => Number(row.found > 0)),
      queriesWithRelevant,
    ),
    relevantCoverage: share(relevantCandidates, relevant),
    relevant,
    relevantCandidates,
    candidateRecall: recallOf({ judged, rankings: pool, deepest, level }),
    forcedRows: sum((row) => row.forced),
    forcedQueries: sum((row) => Number(row.forced > 0)),
  };
}

interface QueryRow {
  readonly depth: number;
  readonly forced: number;
  readonly relevant: number;
  /** Relevant documents among the candidates. */
  readonly found: number;
}

function rowOf(judged: Judgements, pool: Pool, query: QueryId, level: number): QueryRow {
  const { docs = [], forced = [] } = pool.get(query) ?? {};
  const grades = judged.get(query);
  const relevant = [...(grades?.values() ?? [])].filter((grade) => isRelevant(grade, level)).length;
  const found = docs.filter((doc) => isRelevant(grades?.get(doc) ?? null, level)).length;
  return { depth: docs.length, forced: forced.length, relevant, found };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
