import type { Content } from './faults.js';
import { broken, swapped } from './faults.js';

/** What tools call the columns of a row per document: ours and the hub's, ir_measures', ranx's, PyTerrier's. */
const names = {
  query: ['query-id', 'query_id', 'q_id', 'qid'],
  doc: ['corpus-id', 'doc_id', 'docno', 'docid'],
  run: ['score'],
  qrels: ['relevance', 'rel', 'label', 'grade', 'score'],
} as const;

/** The names that a file gives its three columns. */
export interface RowColumns {
  readonly query: string;
  readonly doc: string;
  readonly value: string;
}

/** Which of the columns hold what. Throws for one that is missing; grades without scores where a run is wanted are qrels. */
export function rowColumns(columns: readonly string[], content: Content, where: string): RowColumns {
  const find = (known: readonly string[]) => known.find((name) => columns.includes(name));
  const value = find(names[content]);
  if (value === undefined && content === 'run' && find(names.qrels) !== undefined) throw swapped('run', where);
  return {
    query: find(names.query) ?? missing(names.query[0], columns, where),
    doc: find(names.doc) ?? missing(names.doc[0], columns, where),
    value: value ?? missing(names[content].at(-1) ?? '', columns, where),
  };
}

/** Whether these are the names of a row per document. */
export function areRowColumns(columns: readonly string[]): boolean {
  const has = (known: readonly string[]) => known.some((name) => columns.includes(name));
  return has(names.query) && has(names.doc);
}

function missing(name: string, columns: readonly string[], where: string): never {
  throw broken(
    `This file lacks a column \`${name}\``,
    `${where}: it has ${columns.join(', ')}`,
    'A row has `query-id`, `corpus-id` and `score` (or `query_id`, `doc_id` and `score` or `relevance`); a run in Parquet may have `query-id`, `corpus-ids`, `scores` instead.',
  );
}

export function idText(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw broken('An id is not text', `${where}: ${String(value)}`, 'Ids are strings.');
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}
