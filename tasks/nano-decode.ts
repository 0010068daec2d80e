import { z } from 'zod';
import { printable, TenbinError } from '../core/errors.js';
import { type DocId, docId, type QueryId, queryId, type TaskId } from '../core/ids.js';
import { decodeParquet } from '../core/parquet.js';
import { nanoPaths } from './nano-files.js';
import { decodeRankingRows } from './ranking-rows.js';
import type { Manifest, NanoSet, Pool, Query } from './types.js';

const meta = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const rows = {
  doc: z.object({ _id: z.string(), text: z.string() }),
  query: z.object({ _id: z.string(), text: z.string(), meta: z.string().nullish() }),
  qrel: z.object({ 'query-id': z.string(), 'corpus-id': z.string(), score: z.number().int() }),
} as const;

/** Decodes the verified files of a nano-set and checks that what they name exists. */
export async function decodeNanoSet(
  id: TaskId,
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<NanoSet> {
  const { task } = manifest;
  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T[]> => {
    return (await decodeParquet(fileOf(files, path), path)).map((row, i) =>
      checkRow(schema, row, `${path} row ${i + 1}`),
    );
  };
  const docs = (await read(nanoPaths.corpus(task), rows.doc)).map((row) => ({ id: docId(row._id), text: row.text }));
  const queries = (await read(nanoPaths.queries(task), rows.query)).map((row, i) =>
    toQuery(row, `${nanoPaths.queries(task)} row ${i + 1}`),
  );
  const known = { docs: new Set<string>(docs.map((d) => d.id)), queries: new Set<string>(queries.map((q) => q.id)) };
  const judged = await decodeJudgements(fileOf(files, nanoPaths.qrels(task)), nanoPaths.qrels(task));
  for (const [query, grades] of judged) {
    const unknown = known.queries.has(query) ? [...grades.keys()].find((doc) => !known.docs.has(doc)) : query;
    if (unknown === undefined) continue;
    throw broken(nanoPaths.qrels(task), `it judges a document or query that is not there (${printable(unknown)})`);
  }
  const pools = new Map<string, Pool>();
  for (const name of Object.keys(manifest.pools)) {
    const path = nanoPaths.pool(name, task);
    pools.set(name, await readPool(files, path, known.docs));
  }
  return { task: id, docs, queries, judged, pools, manifest };
}

/** The judgements of a nano-set from the bytes of its qrels file alone: all that scoring a run needs. */
export async function decodeJudgements(bytes: Uint8Array, path: string): Promise<Map<QueryId, Map<DocId, number>>> {
  const judged = new Map<QueryId, Map<DocId, number>>();
  for (const [i, row] of (await decodeParquet(bytes, path)).entries()) {
    const { 'query-id': query, 'corpus-id': doc, score } = checkRow(rows.qrel, row, `${path} row ${i + 1}`);
    const grades = judged.get(queryId(query)) ?? new Map<DocId, number>();
    if (grades.has(docId(doc))) throw broken(`${path} row ${i + 1}`, 'its judgement stands there twice');
    judged.set(queryId(query), grades.set(docId(doc), score));
  }
  return judged;
}

function toQuery(row: z.infer<typeof rows.query>, where: string): Query {
  const query = { id: queryId(row._id), text: row.text };
  return row.meta == null ? query : { ...query, meta: checkRow(meta, parsedMeta(row.meta, where), where) };
}

function parsedMeta(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(where, 'its meta is not JSON');
  }
}

async function readPool(
  files: ReadonlyMap<string, Uint8Array>,
  path: string,
  docs: ReadonlySet<string>,
): Promise<Pool> {
  const pool = await decodeRankingRows(fileOf(files, path), path, broken);
  for (const row of pool.values()) {
    const unknown = row.docs.find((id) => !docs.has(id));
    if (unknown !== undefined) throw broken(path, `it lists a document that is not there (${printable(unknown)})`);
  }
  return pool;
}

function fileOf(files: ReadonlyMap<string, Uint8Array>, path: string): Uint8Array {
  const bytes = files.get(path);
  if (bytes === undefined) throw broken(path, 'the manifest does not list it');
  return bytes;
}

function checkRow<T>(schema: z.ZodType<T>, row: unknown, where: string): T {
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  throw broken(where, z.prettifyError(parsed.error).replace(/\s+/g, ' '));
}

function broken(where: string, why: string): TenbinError {
  return new TenbinError('damaged', {
    what: `This part of a nano-set cannot be used: ${why}`,
    value: where,
    fix: 'Build the task again with `tenbin build TASK --force`.',
  });
}
