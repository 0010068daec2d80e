import { swapped, wrongColumns } from './faults.js';
import { emptyFields, type Fields, field, isField, scanFields } from './fields.js';
import { numberAt } from './number.js';
import { addRow, checkedScore, type Rankings, type RowsByQuery, type RunRows, rankingsOf, rowsOf } from './rows.js';
import { textPieces } from './text.js';

/**
 * A TREC run: `qid Q0 docid rank score tag`, further columns ignored as trec_eval does. The rank is not read: the score
 * orders. A million lines take about half a second.
 */
export function decodeTrecRun(bytes: Uint8Array, where: string): Rankings {
  const queries: RowsByQuery = new Map();
  const fields = emptyFields();
  let line = 0;
  let rows: RunRows | undefined;
  for (const text of textPieces(bytes, where)) {
    for (let at = 0; at < text.length; at = fields.next) {
      scanFields(text, at, fields);
      line++;
      if (fields.count === 0) continue;
      if (fields.count < 6) throw tooFew(fields.count, queries, `${where}:${line}`);
      if (rows === undefined || !isField(text, fields, 0, rows.query)) rows = rowsOf(queries, field(text, fields, 0));
      addRow(rows, field(text, fields, 2), scoreIn(text, fields, where, line), line);
    }
  }
  return rankingsOf(queries, where, (at) => `${where}:${at}`);
}

function tooFew(count: number, queries: RowsByQuery, where: string): Error {
  return count === 4 && queries.size === 0 ? swapped('run', where) : wrongColumns('run', count, where);
}

function scoreIn(text: string, fields: Fields, where: string, line: number): number {
  const score = numberAt(text, fields.starts[4], fields.ends[4]);
  return score ?? checkedScore(score, field(text, fields, 4), `${where}:${line}`);
}
