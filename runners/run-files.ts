import { type QueryId, queryId } from '../core/ids.js';
import { decodeParquet, encodeParquet } from '../core/parquet.js';
import { type StagedWork, stages } from './facts.js';
import { workUnits } from './work.js';

/** Files beside `rankings.parquet`. */
export const workFile = 'work.parquet';
export const docTokensFile = 'doc-tokens.parquet';

/** A row for each query, a column for each unit of each stage that some query counted: `encode.flops`, `search.postings`. */
export function encodeQueryWork(rows: ReadonlyMap<QueryId, StagedWork>): Uint8Array {
  const all = [...rows.values()];
  const columns = namedUnits.flatMap(({ name, stage, unit }) => {
    const values = all.map((staged) => staged[stage]?.[unit]);
    if (values.every((value) => value === undefined)) return [];
    return [{ name, type: 'double' as const, optional: true as const, values: values.map((value) => value ?? null) }];
  });
  return encodeParquet([{ name: 'query-id', type: 'string', values: [...rows.keys()] }, ...columns]);
}

const namedUnits = stages.flatMap((stage) => workUnits.map((unit) => ({ name: `${stage}.${unit}`, stage, unit })));

/** Columns of other names are passed over: later versions may count more. */
export async function decodeQueryWork(
  bytes: Uint8Array,
  where: string,
  refuse: (where: string, why: string) => Error,
): Promise<Map<QueryId, StagedWork>> {
  const rows = new Map<QueryId, StagedWork>();
  for (const [i, row] of (await decodeParquet(bytes, where)).entries()) {
    const at = `${where} row ${i + 1}`;
    const id = row['query-id'];
    if (typeof id !== 'string') throw refuse(at, '`query-id` is no text');
    if (rows.has(queryId(id))) throw refuse(at, 'its query stands there twice');
    rows.set(
      queryId(id),
      stagedOf(row, (name) => refuse(at, `\`${name}\` is no number from 0`)),
    );
  }
  return rows;
}

function stagedOf(row: Readonly<Record<string, unknown>>, refuse: (name: string) => Error): StagedWork {
  const staged = new Map<string, Record<string, number>>();
  for (const { name, stage, unit } of namedUnits) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number' || !(value >= 0)) throw refuse(name);
    staged.set(stage, { ...staged.get(stage), [unit]: value });
  }
  return Object.fromEntries(staged);
}

/** A row for each document in the order of the corpus, a column of token counts for each model. */
export function encodeDocTokens(counts: ReadonlyMap<string, Int32Array>): Uint8Array {
  return encodeParquet([...counts].map(([name, tokens]) => ({ name, type: 'int32', values: Array.from(tokens) })));
}
