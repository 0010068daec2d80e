import { decodeParquet } from '../../core/parquet.js';
import type { Judgements } from '../../tasks/types.js';
import { idText, numberOf, rowColumns } from './columns.js';
import { broken, type Content, swapped } from './faults.js';
import {
  addGrade,
  addRowAt,
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

/** A run in Parquet: our own lists (`query-id`, `corpus-ids`, `scores`), or one row per document. */
export async function decodeParquetRun(bytes: Uint8Array, where: string): Promise<Rankings> {
  const queries: RowsByQuery = new Map();
  const rows: readonly Row[] = await decodeParquet(bytes, where);
  if (areJudgements(rows)) throw swapped('run', where);
  rows.forEach((row, i) => {
    const at = i + 1;
    if ('corpus-ids' in row) addList(queries, row, place(where)(at), at);
    else {
      const { query, doc, value } = flatRow(row, 'run', place(where)(at));
      addRowAt(rowsOf(queries, query), doc, checkedScore(value, String(value), place(where)(at)), at);
    }
  });
  return rankingsOf(queries, where, ({ at }, row) => place(where)(at[row]));
}

/** BEIR's and our own qrels: their three columns, and whole numbers throughout. A run of ours has lists. */
function areJudgements(rows: readonly Row[]): boolean {
  const isWhole = (score: unknown) => typeof score === 'bigint' || Number.isInteger(score);
  return rows.length > 0 && rows.every((row) => 'query-id' in row && 'corpus-id' in row && isWhole(row.score));
}

export async function decodeParquetQrels(bytes: Uint8Array, where: string): Promise<Judgements> {
  const judged: GradesByQuery = new Map();
  const rows: readonly Row[] = await decodeParquet(bytes, where);
  rows.forEach((row, i) => {
    const here = place(where)(i + 1);
    if ('corpus-ids' in row) throw swapped('qrels', here);
    const { query, doc, value } = flatRow(row, 'qrels', here);
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
    addRowAt(rows, idText(doc, here), checkedScore(numberOf(scores[i]), String(scores[i]), here), at);
  });
}

function flatRow(row: Row, content: Content, here: string): { query: string; doc: string; value: number | undefined } {
  const { query, doc, value } = rowColumns(Object.keys(row), content, here);
  return { query: idText(row[query], here), doc: idText(row[doc], here), value: numberOf(row[value]) };
}
