import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Json, prettyJson } from '../core/canonical.js';
import { sha256 } from '../core/digest.js';
import { TenbinError } from '../core/errors.js';
import { folderName, type QueryId, splitTaskId, type TaskId } from '../core/ids.js';
import { byCodePoint } from '../core/order.js';
import { encodeParquet } from '../core/parquet.js';
import { readBytes, readIfThere, sweepTemporaries, writeAllAtomic } from '../tasks/files.js';
import { parseJson } from '../tasks/manifest.js';
import { decodeRankingRows, rankingColumns } from '../tasks/ranking-rows.js';
import type { Ranking } from '../tasks/types.js';
import { decodeQueryWork, docTokensFile, encodeDocTokens, encodeQueryWork, workFile } from './run-files.js';
import { familyNames } from './system.js';
import type { Run } from './types.js';

const schema = 'tenbin/run@1';
const rerun = 'Run the system again: `tenbin run --force`.';
const sha = z.string().regex(/^[0-9a-f]{64}$/);
const head = {
  schema: z.literal(schema),
  task: z.object({ id: z.string(), digest: sha }),
  system: z.string(),
  family: z.enum(familyNames),
  digest: sha,
};
const recordSchema = z.discriminatedUnion('status', [
  z.looseObject({ ...head, status: z.literal('failed'), error: z.string() }),
  z.looseObject({
    ...head,
    status: z.literal('complete'),
    conditions: z.record(z.string(), z.json()),
    cost: z.looseObject({
      bytesPerDoc: z.number(),
      indexBytes: z.number(),
      modelBytes: z.number(),
      work: z.record(z.string(), z.number()),
    }),
    timing: z.looseObject({
      prepareMs: z.number(),
      queryMs: z.object({ p50: z.number(), p95: z.number(), mean: z.number() }),
    }),
    files: z.object({ 'rankings.parquet': sha, [workFile]: sha.optional(), [docTokensFile]: sha.optional() }),
  }),
]);
/** `run.json` as it stands on disk. */
export type RunRecord = z.infer<typeof recordSchema>;

/** The folder of a run, relative to the root of everything written. */
export function runPath(task: TaskId, system: string): string {
  const { suite, task: name } = splitTaskId(task);
  return join('runs', suite, name, folderName(system));
}

/** Writes `rankings.parquet`, what was counted query by query, and `run.json`, the record last. */
export async function writeRun(root: string, run: Run): Promise<void> {
  const folder = join(root, runPath(run.task.id, run.system));
  const { rankings, queryWork, docTokens, ...facts } = run;
  const files = [
    { name: 'rankings.parquet', data: encodeRankings(rankings) },
    ...(queryWork === undefined ? [] : [{ name: workFile, data: encodeQueryWork(queryWork) }]),
    ...(docTokens === undefined || docTokens.size === 0
      ? []
      : [{ name: docTokensFile, data: encodeDocTokens(docTokens) }]),
  ];
  const digests = Object.fromEntries(files.map(({ name, data }) => [name, sha256(data)]));
  const record = { schema, status: 'complete', ...facts, files: digests };
  await sweepTemporaries(folder);
  await writeAllAtomic([
    ...files.map(({ name, data }) => ({ path: join(folder, name), data })),
    { path: join(folder, 'run.json'), data: prettyJson(record as unknown as Json) },
  ]);
}

/** Records that a run failed and why; rankings of an earlier run stay where they are, unclaimed. */
export async function writeFailure(
  root: string,
  run: Pick<Run, 'task' | 'system' | 'family' | 'digest'>,
  error: string,
) {
  const record = {
    schema,
    status: 'failed',
    error,
    task: run.task,
    system: run.system,
    family: run.family,
    digest: run.digest,
  };
  const path = join(root, runPath(run.task.id, run.system), 'run.json');
  await writeAllAtomic([{ path, data: prettyJson(record as unknown as Json) }]);
}

function encodeRankings(rankings: ReadonlyMap<QueryId, Ranking>): Uint8Array {
  return encodeParquet(rankingColumns(rankings));
}

/** The record of a run, or null when there is none. A damaged record is an error that names the file. */
export async function readRecord(folder: string): Promise<RunRecord | null> {
  const path = join(folder, 'run.json');
  const bytes = await readIfThere(path);
  if (bytes === null) return null;
  const parsed = recordSchema.safeParse(parseJson(new TextDecoder().decode(bytes), path, rerun));
  if (parsed.success) return parsed.data;
  const why = z.prettifyError(parsed.error).split('\n').slice(0, 2).join(' ');
  throw damaged(path, `This is not a run record of ${schema} (${why})`);
}

/** Whether the files of a complete run, its rankings and what was counted, are still the bytes that its record speaks of. */
export async function hasFiles(folder: string, record: RunRecord): Promise<boolean> {
  if (record.status !== 'complete') return false;
  for (const [name, digest] of Object.entries(record.files)) {
    const bytes = await readIfThere(join(folder, name));
    if (bytes === null || sha256(bytes) !== digest) return false;
  }
  return true;
}

/** A run from its folder; null when there is none or when it failed. */
export async function readRun(folder: string): Promise<Run | null> {
  const record = await readRecord(folder);
  if (record === null || record.status === 'failed') return null;
  const path = join(folder, 'rankings.parquet');
  const bytes = await readBytes(path);
  if (sha256(bytes) !== record.files['rankings.parquet']) {
    throw damaged(path, 'These rankings are not what was written: their digest differs from run.json');
  }
  const { files, schema: _, status: __, ...facts } = record;
  const refuse = (where: string, why: string) => damaged(where, `These rankings cannot be used: ${why}`);
  const queryWork = await readQueryWork(folder, files[workFile]);
  return {
    ...(facts as unknown as Omit<Run, 'rankings' | 'queryWork'>),
    rankings: await decodeRankingRows(bytes, path, refuse),
    ...(queryWork && { queryWork }),
  };
}

/** What each query cost; null where the run did not write it. */
async function readQueryWork(folder: string, digest: string | undefined): Promise<Run['queryWork'] | null> {
  if (digest === undefined) return null;
  const path = join(folder, workFile);
  const bytes = await readIfThere(path);
  if (bytes === null) throw damaged(path, 'These counts are gone, though run.json speaks of them');
  if (sha256(bytes) !== digest) {
    throw damaged(path, 'These counts are not what was written: their digest differs from run.json');
  }
  return decodeQueryWork(bytes, path, (where, why) => damaged(where, `These counts cannot be used: ${why}`));
}

function damaged(path: string, what: string): TenbinError {
  return new TenbinError('damaged', { what, value: path, fix: rerun });
}

/** Folders of every run of a task, relative to the root, in code-point order. */
export async function listRuns(root: string, task: TaskId): Promise<string[]> {
  const { suite, task: name } = splitTaskId(task);
  const folder = join('runs', suite, name);
  const names = await readdir(join(root, folder)).catch(() => [] as string[]);
  return names
    .filter((entry) => !entry.startsWith('.'))
    .sort(byCodePoint)
    .map((entry) => join(folder, entry));
}
