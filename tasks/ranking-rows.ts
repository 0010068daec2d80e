import { z } from 'zod';
import { docId, type QueryId, queryId } from '../core/ids.js';
import { type Column, decodeParquet } from '../core/parquet.js';
import type { Candidates, Ranking } from './types.js';

/** A score may be infinite, which orders as a number; NaN never ranks. */
const score = z.custom<number>(
  (value) => typeof value === 'number' && !Number.isNaN(value),
  'a number that is not NaN',
);
const rowSchema = z.object({
  'query-id': z.string(),
  'corpus-ids': z.array(z.string()),
  scores: z.array(score),
  forced: z.array(z.string()).optional(),
});

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
    const { 'query-id': query, 'corpus-ids': docs, scores, forced = [] } = parsed.data;
    if (docs.length !== scores.length) throw refuse(`${where} row ${i + 1}`, 'it has more ids than scores, or fewer');
    rankings.set(queryId(query), { docs: docs.map(docId), scores, forced: forced.map(docId) });
  }
  return rankings;
}
