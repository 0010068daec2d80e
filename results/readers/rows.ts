import type { DocId, QueryId } from '../../core/ids.js';
import { docId, queryId } from '../../core/ids.js';
import type { Judgements, Ranking } from '../../tasks/types.js';
import { empty, nanScore, notAGrade, notAScore, twice } from './faults.js';

export type Rankings = ReadonlyMap<QueryId, Ranking>;

/** Says where something stands, for errors: `run.txt:17` of the line 17. */
export type Place = (at: number) => string;

/** The rows of one query in the order given, and where each stands. They need not stand together in the file. */
export interface RunRows {
  readonly query: QueryId;
  readonly docs: DocId[];
  readonly scores: number[];
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

export function addRow(rows: RunRows, doc: string, score: number, at: number): void {
  rows.docs.push(doc as DocId);
  rows.scores.push(score);
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

function refuseNaN({ query, docs, scores, at }: RunRows, place: Place): void {
  const row = scores.findIndex((score) => Number.isNaN(score));
  if (row >= 0) throw nanScore(query, docs[row], place(at[row]));
}

function refuseDuplicates({ query, docs, at }: RunRows, place: Place): void {
  if (new Set(docs).size === docs.length) return;
  const seen = new Set<DocId>();
  const row = docs.findIndex((doc) => seen.size === seen.add(doc).size);
  throw twice(query, docs[row], place(at[row]));
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
