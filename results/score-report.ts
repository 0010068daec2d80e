import type { TieRule } from './order.js';
import type { Scores } from './score.js';

/** What `tenbin score --format json` prints. Types and not interfaces, so that they are assignable to `Json`. */
export type ScoreReport = {
  readonly qrels: string;
  readonly ties: TieRule;
  readonly runs: readonly ScoredRun[];
};

export type ScoredRun = {
  readonly run: string;
  /** How many queries count. */
  readonly queries: number;
  /** Topics of the qrels that the run lacks. */
  readonly missing: readonly string[];
  /** By canonical measure name; null where no query counts. */
  readonly mean: { readonly [measure: string]: number | null };
  readonly range: { readonly [measure: string]: Range | null };
  /** Query → measure → value; only when asked for. */
  readonly perQuery?: { readonly [query: string]: { readonly [measure: string]: number } };
};

type Range = { readonly min: number; readonly max: number };

export interface ReportRequest {
  readonly qrels: string;
  readonly ties: TieRule;
  readonly runs: readonly { readonly run: string; readonly scores: Scores }[];
  readonly perQuery: 'shown' | 'left-out';
  /** `left-out` leaves `mean` and `range` empty (trec_eval's `-n`). */
  readonly summary?: 'shown' | 'left-out';
}

/** The scores of runs as the JSON of formats.md §5. Ids become keys by `Object.fromEntries`, which takes `__proto__` too. */
export function scoreReport({ qrels, ties, runs, ...shown }: ReportRequest): ScoreReport {
  return { qrels, ties, runs: runs.map(({ run, scores }) => scoredRun(run, scores, shown)) };
}

function scoredRun(
  run: string,
  scores: Scores,
  { perQuery, summary = 'shown' }: Pick<ReportRequest, 'perQuery' | 'summary'>,
): ScoredRun {
  const totals = summary === 'shown' ? [...scores.totals] : [];
  return {
    run,
    queries: scores.queries.length,
    missing: scores.missing,
    mean: Object.fromEntries(totals.map(([name, value]) => [name, value === null ? null : value.expected])),
    range: Object.fromEntries(
      totals.map(([name, value]) => [name, value === null ? null : { min: value.min, max: value.max }]),
    ),
    ...(perQuery === 'shown' ? { perQuery: valuesByQuery(scores) } : {}),
  };
}

function valuesByQuery({ queries, values }: Scores): NonNullable<ScoredRun['perQuery']> {
  const columns = [...values];
  return Object.fromEntries(
    queries.map((query, row) => [
      query,
      Object.fromEntries(columns.map(([name, { expected }]) => [name, expected[row]])),
    ]),
  );
}
