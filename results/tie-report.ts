import type { QueryId } from '../core/ids.js';
import type { Judgements, Ranking } from '../tasks/types.js';
import { type FixedOrder, fixedOrders } from './order.js';
import { roundTo, type ScorePrecision } from './precision.js';
import { scoreRun } from './score.js';
import { queryLabel, tiedDocs } from './ties.js';
import type { Measure } from './types.js';

/** One number for each order that tools break ties in. */
export type ByOrder = { readonly [Order in FixedOrder]: number };

/** A measure over ties: means over the queries. Types and not interfaces, so that they are assignable to `Json`. */
export type TiedMeasure = {
  readonly expected: number;
  readonly min: number;
  readonly max: number;
  /** max − min. */
  readonly range: number;
  /** The value when ties are broken in a fixed order, as most tools do without saying so. */
  readonly oblivious: ByOrder;
  /** oblivious − expected (Kang and others 2025, arXiv 2508.03306, eq. 5). */
  readonly bias: ByOrder;
};

/** What ties do to one run whose scores are kept in one number format. */
export type TieFacts = {
  readonly precision: ScorePrecision;
  /** Queries that count. */
  readonly queries: number;
  /** Queries with at least one tie. */
  readonly tiedQueries: number;
  /** Means over the queries: groups of at least two documents, documents in them, different scores. */
  readonly tieGroups: number;
  readonly tiedDocuments: number;
  readonly distinctScores: number;
  readonly measures: { readonly [measure: string]: TiedMeasure };
};

export interface TieRequest {
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
  readonly judged: Judgements;
  readonly measures: readonly Measure[];
  readonly precision: ScorePrecision;
  readonly topics?: 'all' | 'retrieved';
  readonly level?: number;
  /** Names the run in errors. */
  readonly run?: string;
}

/** Scores a run once over all orders and once in each fixed one. Null where no query counts. */
export function tieFacts(request: TieRequest): TieFacts | null {
  const { precision, measures } = request;
  const expected = scoreRun({ ...request, ties: 'expected' });
  if (expected.queries.length === 0) return null;
  const fixed = fixedOrders.map((ties) => [ties, scoreRun({ ...request, ties }).totals] as const);
  const entries = measures.flatMap(({ name }) => {
    const total = expected.totals.get(name) ?? null;
    if (total === null) return [];
    const by = (of: (value: number) => number) =>
      Object.fromEntries(fixed.map(([order, totals]) => [order, of(totals.get(name)?.expected ?? 0)])) as ByOrder;
    const oblivious = by((value) => value);
    const bias = by((value) => value - total.expected);
    return [[name, { ...total, range: total.max - total.min, oblivious, bias }] as const];
  });
  return {
    precision,
    queries: expected.queries.length,
    ...countsOf(request, expected.queries),
    measures: Object.fromEntries(entries),
  };
}

function countsOf({ rankings, precision, run }: TieRequest, queries: readonly QueryId[]) {
  const sums = { tiedQueries: 0, tieGroups: 0, tiedDocuments: 0, distinctScores: 0 };
  for (const query of queries) {
    const sizes = groupSizes(rankings.get(query), precision, queryLabel(query, run));
    const tied = sizes.filter((size) => size > 1);
    if (tied.length > 0) sums.tiedQueries++;
    sums.tieGroups += tied.length;
    sums.tiedDocuments += tied.reduce((sum, size) => sum + size, 0);
    sums.distinctScores += sizes.length;
  }
  const mean = (sum: number) => sum / queries.length;
  return {
    tiedQueries: sums.tiedQueries,
    tieGroups: mean(sums.tieGroups),
    tiedDocuments: mean(sums.tiedDocuments),
    distinctScores: mean(sums.distinctScores),
  };
}

function groupSizes(ranking: Ranking | undefined, precision: ScorePrecision, where: string): number[] {
  if (ranking === undefined) return [];
  const scores = ranking.scores.map((score) => roundTo(score, precision));
  const { groupEnds } = tiedDocs({ docs: ranking.docs, scores }, where);
  return groupEnds.map((end, i) => end - (i === 0 ? 0 : groupEnds[i - 1]));
}
