import { z } from 'zod';
import { docId, type QueryId, queryId } from '../core/ids.js';
import { type Column, decodeParquet } from '../core/parquet.js';
import type { Candidates, Ranking } from './types.js';

/**
 * Lists are checked by a loop of our own: a schema for each element costs ten times as much on a million of them. A
 * score may be infinite, which orders as a number; NaN never ranks.
 */
const texts = z.custom<string[]>(
  (list) => Array.isArray(list) && list.every((id) => typeof id === 'string'),
  'a list of texts',
);
const scores = z.custom<number[]>(
  (list) => Array.isArray(list) && list.every(isScore),
  'a list of numbers without NaN',
);
const isScore = (value: unknown) => typeof value === 'number' && !Number.isNaN(value);

const rowSchema = z.object({ 'query-id': z.string(), 'corpus-ids': texts, scores, forced: texts.optional() });

/** The columns that pools and runs share (formats.md §2 and §3). */
export function rankingColumns(rows: ReadonlyMap<QueryId, Ranking>): Column[] {
  const lists = [...rows];
  return [
    { name: 'query-id', type: 'string', values: lists.map(([query]) => query) },
    { name: 'corpus-ids', type: 'list<string>', values: lists.map(([, row]) => row.docs) },
    { name: 'scores', type: 'list<double>', values: lists.map(([, row]) => row.scores) },
  ];
}

/** Reads those columns; `refuse` makes the error of whoever owns the file. */
export async function decodeRankingRows(
  bytes: Uint8Array,
  where: string,
  refuse: (where: string, why: string) => Error,
): Promise<Map<QueryId, Candidates>> {
  const rankings = new Map<QueryId, Candidates>();
  for (const [i, row] of (await decodeParquet(bytes, where)).entries()) {
    const parsed = rowSchema.safeParse(row);
    if (!parsed.success) throw refuse(`${where} row ${i + 1}`, z.prettifyError(parsed.error).replace(/\s+/g, ' '));
    const { 'query-id': query, 'corpus-ids': docs, forced = [] } = parsed.data;
    if (docs.length !== parsed.data.scores.length)
      throw refuse(`${where} row ${i + 1}`, 'it has more ids than scores, or fewer');
    if (rankings.has(queryId(query))) throw refuse(`${where} row ${i + 1}`, 'its query stands there twice');
    rankings.set(queryId(query), { docs: docs.map(docId), scores: parsed.data.scores, forced: forced.map(docId) });
  }
  return rankings;
}
