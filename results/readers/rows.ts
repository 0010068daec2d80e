import type { DocId, QueryId } from '../../core/ids.js';
import { docId, queryId } from '../../core/ids.js';
import type { Judgements, Ranking } from '../../tasks/types.js';
import { empty, nanScore, notAGrade, notAScore, twice } from './faults.js';

export type Rankings = ReadonlyMap<QueryId, Ranking>;

/** Says where the n-th row of a query stands, from 0, for errors: `run.txt:17`. */
export type Place = (rows: RunRows, row: number) => string;

/** The rows of one query in the order given. They need not stand together in the file. */
export interface RunRows {
  readonly query: QueryId;
  readonly docs: DocId[];
  readonly scores: number[];
  /**
   * Where each stands. Empty in a reader that finds it again for an error: to keep it costs a tenth of the time of reading
   * a TREC run.
   */
  readonly at: number[];
}

/** Gathered by query. A Map: a query may be named `__proto__`. */
export type RowsByQuery = Map<string, RunRows>;

export function rowsOf(queries: RowsByQuery, query: string): RunRows {
  const known = queries.get(query);
  if (known !== undefined) return known;
  const rows: RunRows = { query: queryId(query), docs: [], scores: [], at: [] };
  queries.set(query, rows);
  return rows;
}

export function addRow(rows: RunRows, doc: string, score: number): void {
  rows.docs.push(doc as DocId);
  rows.scores.push(score);
}

export function addRowAt(rows: RunRows, doc: string, score: number, at: number): void {
  addRow(rows, doc, score);
  rows.at.push(at);
}

/** The rankings, in the order of the file: it is what `--ties input` means. Throws for NaN, duplicates and no query. */
export function rankingsOf(queries: RowsByQuery, where: string, place: Place): Rankings {
  if (queries.size === 0) throw empty('run', where);
  const rankings = new Map<QueryId, Ranking>();
  for (const rows of queries.values()) {
    refuseNaN(rows, place);
    refuseDuplicates(rows, place);
    rankings.set(rows.query, { docs: rows.docs, scores: rows.scores });
  }
  return rankings;
}

function refuseNaN(rows: RunRows, place: Place): void {
  const row = rows.scores.findIndex((score) => Number.isNaN(score));
  if (row >= 0) throw nanScore(rows.query, rows.docs[row], place(rows, row));
}

function refuseDuplicates(rows: RunRows, place: Place): void {
  if (new Set(rows.docs).size === rows.docs.length) return;
  const seen = new Set<DocId>();
  const row = rows.docs.findIndex((doc) => seen.size === seen.add(doc).size);
  throw twice(rows.query, rows.docs[row], place(rows, row));
}

export type GradesByQuery = Map<QueryId, Map<DocId, number>>;

/** Adds one judgement; the same document twice in a query is refused, also with the same grade. */
export function addGrade(
  judged: GradesByQuery,
  query: string,
  row: { doc: string; grade: number; where: () => string },
): void {
  const grades = judged.get(queryId(query)) ?? new Map<DocId, number>();
  if (grades.has(docId(row.doc))) throw twice(query, row.doc, row.where());
  judged.set(queryId(query), grades.set(docId(row.doc), row.grade));
}

export function judgementsOf(judged: GradesByQuery, where: string): Judgements {
  if (judged.size === 0) throw empty('qrels', where);
  return judged;
}

export function checkedGrade(value: number | undefined, text: string, where: string): number {
  if (value === undefined || !Number.isSafeInteger(value)) throw notAGrade(text, where);
  return value;
}

export function checkedScore(value: number | undefined, text: string, where: string): number {
  if (value === undefined) throw notAScore(text, where);
  return value;
}
