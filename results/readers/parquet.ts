import { decodeParquet } from '../../core/parquet.js';
import type { Judgements } from '../../tasks/types.js';
import { broken, swapped } from './faults.js';
import {
  addGrade,
  addRow,
  checkedGrade,
  checkedScore,
  type GradesByQuery,
  judgementsOf,
  type Rankings,
  type RowsByQuery,
  rankingsOf,
  rowsOf,
} from './rows.js';

type Row = Readonly<Record<string, unknown>>;

/** What other tools call the columns of flat rows: ours and the hub's, ir_measures', ranx's, PyTerrier's. */
const names = {
  query: ['query-id', 'query_id', 'q_id', 'qid'],
  doc: ['corpus-id', 'doc_id', 'docno', 'docid'],
  value: ['score', 'relevance', 'rel', 'label'],
} as const;

/** A run in Parquet: our own lists (`query-id`, `corpus-ids`, `scores`), or one row per document. */
export async function decodeParquetRun(bytes: Uint8Array, where: string): Promise<Rankings> {
  const queries: RowsByQuery = new Map();
  const rows: readonly Row[] = await decodeParquet(bytes, where);
  rows.forEach((row, i) => {
    const at = i + 1;
    if ('corpus-ids' in row) addList(queries, row, place(where)(at), at);
    else {
      const { query, doc, value } = flatRow(row, place(where)(at));
      addRow(rowsOf(queries, query), doc, checkedScore(value, String(value), place(where)(at)), at);
    }
  });
  return rankingsOf(queries, where, place(where));
}

export async function decodeParquetQrels(bytes: Uint8Array, where: string): Promise<Judgements> {
  const judged: GradesByQuery = new Map();
  const rows: readonly Row[] = await decodeParquet(bytes, where);
  rows.forEach((row, i) => {
    const here = place(where)(i + 1);
    if ('corpus-ids' in row) throw swapped('qrels', here);
    const { query, doc, value } = flatRow(row, here);
    addGrade(judged, query, { doc, grade: checkedGrade(value, String(value), here), where: () => here });
  });
  return judgementsOf(judged, where);
}

const place = (where: string) => (row: number) => `${where}, row ${row}`;

function addList(queries: RowsByQuery, row: Row, here: string, at: number): void {
  const { 'query-id': query, 'corpus-ids': docs, scores } = row;
  if (typeof query !== 'string' || !Array.isArray(docs) || !Array.isArray(scores) || docs.length !== scores.length) {
    throw broken('A row of this run is not a query with as many scores as documents', here, 'Write the run again.');
  }
  if (queries.has(query))
    throw broken('A query stands twice in this run', `${here}: query \`${query}\``, 'Write the run again.');
  const rows = rowsOf(queries, query);
  docs.forEach((doc, i) => {
    addRow(rows, textOf(doc, here), checkedScore(numberOf(scores[i]), String(scores[i]), here), at);
  });
}

function flatRow(row: Row, here: string): { query: string; doc: string; value: number | undefined } {
  return {
    query: textOf(column(row, names.query, here), here),
    doc: textOf(column(row, names.doc, here), here),
    value: numberOf(column(row, names.value, here)),
  };
}

function column(row: Row, known: readonly string[], here: string): unknown {
  const name = known.find((candidate) => candidate in row);
  if (name !== undefined) return row[name];
  throw broken(
    `This Parquet file lacks a column \`${known[0]}\``,
    `${here}: it has ${Object.keys(row).join(', ')}`,
    'A run has `query-id`, `corpus-ids`, `scores`, or a row per document with `query-id`, `corpus-id`, `score`, as qrels have.',
  );
}

function textOf(value: unknown, here: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw broken('An id is not text', `${here}: ${String(value)}`, 'Ids are columns of strings.');
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}
