import type { DocId, QueryId } from '../core/ids.js';
import type { Judgements, Ranking } from '../tasks/types.js';
import { inFixedOrder, type TieRule } from './order.js';
import { roundTo, type ScorePrecision } from './precision.js';
import { condensed, gradedList, queryLabel, tiedDocs } from './ties.js';
import type { Aggregate, GradedList, Measure, TieColumns, TiedDocs, TieValue } from './types.js';

export interface ScoreRequest {
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
  readonly judged: Judgements;
  readonly measures: readonly Measure[];
  /** `expected` when nothing is said: all orders inside the ties. A fixed order makes all three values equal. */
  readonly ties?: TieRule;
  /** `all` topics of the qrels count, missing ones with 0 (trec_eval's `-c`); `retrieved`: those that the run has. */
  readonly topics?: 'all' | 'retrieved';
  /** The relevance level of measures that name none (trec_eval's `-l`); 1. */
  readonly level?: number;
  /** `judged` takes documents that are unjudged or negative out before ranks are given (trec_eval's `-J`). */
  readonly documents?: 'all' | 'judged';
  /** Stored scores are rounded to this before ties are looked for; `f64` leaves them. */
  readonly precision?: ScorePrecision;
  /**
   * Only the first so many documents of a query count (trec_eval's `-M`), before unjudged ones are taken out. No tie is
   * cut: over all orders, the documents tied with the last one count too.
   */
  readonly depth?: number;
  /** Names the run in errors. */
  readonly run?: string;
}

export interface Scores {
  /** The topics that count, in the order of the qrels. */
  readonly queries: readonly QueryId[];
  /** Topics of the qrels that the run lacks; they are among `queries` only where all topics count. */
  readonly missing: readonly QueryId[];
  /** Queries of the run that are in no qrels: they count nowhere. */
  readonly unjudged: readonly QueryId[];
  /** By measure name, in the order asked for; columns in the order of `queries`. */
  readonly values: ReadonlyMap<string, TieColumns>;
  /** Mean over the queries, sum for counts; null where no query counts. */
  readonly totals: ReadonlyMap<string, TieValue | null>;
}

/**
 * Scores one run. Each list is put in order and graded once, and shared by all measures. Throws `not-finite` for a NaN
 * score, `malformed` for a document that stands twice, both with the query and document named.
 */
export function scoreRun(request: ScoreRequest): Scores {
  const { rankings, judged, measures, topics = 'all' } = request;
  const missing = [...judged.keys()].filter((query) => !rankings.has(query));
  const queries = [...judged.keys()].filter((query) => topics === 'all' || rankings.has(query));
  const unjudged = [...rankings.keys()].filter((query) => !judged.has(query));
  const columns = measures.map((): TieColumns => emptyColumns(queries.length));
  queries.forEach((query, row) => {
    const list = listOf(request, query);
    measures.forEach((measure, i) => {
      setRow(columns[i], row, measure.evaluate(list));
    });
  });
  const values = new Map(measures.map((measure, i) => [measure.name, columns[i]]));
  const totals = new Map(measures.map(({ name, aggregate }, i) => [name, total(columns[i], aggregate)]));
  return { queries, missing, unjudged, values, totals };
}

const noRanking: Ranking = { docs: [], scores: [] };
const noGrades: ReadonlyMap<DocId, number> = new Map();

function listOf(request: ScoreRequest, query: QueryId): GradedList {
  const { ties = 'expected', documents = 'all', precision = 'f64', level = 1 } = request;
  const ranking = rounded(request.rankings.get(query) ?? noRanking, precision);
  const tied = tiedDocs(ranking, queryLabel(query, request.run));
  const ordered = ties === 'expected' ? tied : inFixedOrder(tied, ties);
  const list = gradedList(
    request.depth === undefined ? ordered : firstOf(ordered, request.depth),
    request.judged.get(query) ?? noGrades,
    level,
  );
  return documents === 'judged' ? condensed(list) : list;
}

function firstOf({ docs, groupEnds }: TiedDocs, depth: number): TiedDocs {
  const groups = groupEnds.findIndex((end) => end >= depth) + 1;
  return groups === 0
    ? { docs, groupEnds }
    : { docs: docs.slice(0, groupEnds[groups - 1]), groupEnds: groupEnds.slice(0, groups) };
}

function rounded({ docs, scores }: Ranking, precision: ScorePrecision): Ranking {
  return { docs, scores: precision === 'f64' ? scores : scores.map((score) => roundTo(score, precision)) };
}

function emptyColumns(rows: number): TieColumns {
  return { expected: new Float64Array(rows), min: new Float64Array(rows), max: new Float64Array(rows) };
}

function setRow({ expected, min, max }: TieColumns, row: number, value: TieValue): void {
  expected[row] = value.expected;
  min[row] = value.min;
  max[row] = value.max;
}

function total({ expected, min, max }: TieColumns, aggregate: Aggregate): TieValue | null {
  if (expected.length === 0 && aggregate !== 'sum') return null;
  const over = aggregates[aggregate];
  return { expected: over(expected), min: over(min), max: over(max) };
}

/** trec_eval's least value under a logarithm. */
const leastValue = 0.00001;

const aggregates: Readonly<Record<Aggregate, (column: Float64Array) => number>> = {
  sum,
  mean: (column) => sum(column) / column.length,
  'geometric-mean': (column) =>
    Math.exp(sum(column.map((value) => Math.log(Math.max(value, leastValue)))) / column.length),
};

function sum(column: Float64Array): number {
  return column.reduce((total, value) => total + value, 0);
}
