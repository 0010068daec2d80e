import { swapped, wrongColumns } from './faults.js';
import { emptyFields, type Fields, field, isComment, isField, scanFields } from './fields.js';
import { numberAt } from './number.js';
import { addRow, checkedScore, type Rankings, type RowsByQuery, type RunRows, rankingsOf, rowsOf } from './rows.js';
import { textPieces } from './text.js';

interface TrecRun {
  readonly rankings: Rankings;
  /** The tag of the last line, which is trec_eval's `runid`; that they are all one is not asked for. */
  readonly tag: string;
}

/**
 * A TREC run: `qid Q0 docid rank score tag`, further columns ignored as trec_eval does. The rank is not read: the score
 * orders. A million lines take about half a second.
 */
export function decodeTrecRun(bytes: Uint8Array, where: string): TrecRun {
  const queries: RowsByQuery = new Map();
  let rows: RunRows | undefined;
  let tag = '';
  eachLine(bytes, where, (text, fields, line) => {
    if (fields.count < 6) throw tooFew(fields.count, queries, `${where}:${line}`);
    if (rows === undefined || !isField(text, fields, 0, rows.query)) rows = rowsOf(queries, field(text, fields, 0));
    addRow(rows, field(text, fields, 2), scoreIn(text, fields, where, line));
    if (!isField(text, fields, 5, tag)) tag = field(text, fields, 5);
  });
  const place = ({ query }: RunRows, row: number) => `${where}:${lineOf(bytes, where, { query, row })}`;
  return { rankings: rankingsOf(queries, where, place), tag };
}

type VisitLine = (text: string, fields: Fields, line: number) => void;

/** Lines with anything in them that is no comment. */
function eachLine(bytes: Uint8Array, where: string, visit: VisitLine): void {
  const fields = emptyFields();
  let line = 0;
  for (const text of textPieces(bytes, where)) {
    for (let at = 0; at < text.length; at = fields.next) {
      scanFields(text, at, fields);
      line++;
      if (fields.count > 0 && !isComment(text, fields, 'six')) visit(text, fields, line);
    }
  }
}

/** The line of a query's n-th row, looked for again. */
function lineOf(bytes: Uint8Array, where: string, { query, row }: { query: string; row: number }): number {
  let seen = 0;
  let found = 0;
  eachLine(bytes, where, (text, fields, line) => {
    if (isField(text, fields, 0, query) && seen++ === row) found = line;
  });
  return found;
}

function tooFew(count: number, queries: RowsByQuery, where: string): Error {
  return count === 4 && queries.size === 0 ? swapped('run', where) : wrongColumns('run', count, where);
}

function scoreIn(text: string, fields: Fields, where: string, line: number): number {
  const score = numberAt(text, fields.starts[4], fields.ends[4]);
  return score ?? checkedScore(score, field(text, fields, 4), `${where}:${line}`);
}
