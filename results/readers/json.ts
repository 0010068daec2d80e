import { queryId } from '../../core/ids.js';
import type { Judgements } from '../../tasks/types.js';
import { broken, notAGrade } from './faults.js';
import { lineAt, scanNestedNumbers } from './json-scan.js';
import {
  addGrade,
  addRowAt,
  type GradesByQuery,
  judgementsOf,
  type Rankings,
  type RowsByQuery,
  rankingsOf,
  rowsOf,
} from './rows.js';
import { wholeText } from './text.js';

/** `{"query": {"document": score}}`, as ranx, pytrec_eval and BEIR keep runs. A query without documents is in the run. */
export function decodeJsonRun(bytes: Uint8Array, where: string): Rankings {
  const text = wholeText(bytes, where);
  const place = (at: number) => `${where}:${lineAt(text, at)}`;
  const queries: RowsByQuery = new Map();
  let rows = rowsOf(new Map(), '');
  scanNestedNumbers(text, where, {
    query: (id, at) => {
      if (queries.has(id)) throw queryTwice(id, place(at));
      rows = rowsOf(queries, id);
    },
    entry: (id, score, at) => addRowAt(rows, id, score, at),
  });
  return rankingsOf(queries, where, ({ at }, row) => place(at[row]));
}

/** `{"query": {"document": grade}}` with whole grades. */
export function decodeJsonQrels(bytes: Uint8Array, where: string): Judgements {
  const text = wholeText(bytes, where);
  const place = (at: number) => `${where}:${lineAt(text, at)}`;
  const judged: GradesByQuery = new Map();
  let query = queryId('');
  scanNestedNumbers(text, where, {
    query: (id, at) => {
      query = queryId(id);
      if (judged.has(query)) throw queryTwice(id, place(at));
      judged.set(query, new Map());
    },
    entry: (doc, value, at) => {
      if (!Number.isSafeInteger(value)) throw notAGrade(String(value), place(at));
      addGrade(judged, query, { doc, grade: value, where: () => place(at) });
    },
  });
  return judgementsOf(judged, where);
}

function queryTwice(query: string, where: string): Error {
  return broken(
    'A query stands twice in this JSON',
    `${where}: query \`${query}\``,
    'Join its documents under one key.',
  );
}
