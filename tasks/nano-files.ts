import { type Json, prettyJson } from '../core/canonical.js';
import { type Digest, digestOf, sha256 } from '../core/digest.js';
import { type Column, encodeParquet } from '../core/parquet.js';
import { rankingColumns } from './ranking-rows.js';
import type { Manifest, NanoSet, Pool } from './types.js';

/** Paths of a nano-set's files inside its suite's folder (formats.md §2). */
export const nanoPaths = {
  corpus: (task: string) => `corpus/${task}.parquet`,
  queries: (task: string) => `queries/${task}.parquet`,
  qrels: (task: string) => `qrels/${task}.parquet`,
  pool: (pool: string, task: string) => `${pool}/${task}.parquet`,
  manifest: (task: string) => `manifests/${task}.json`,
} as const;

export type Unsealed = Omit<NanoSet, 'manifest'> & { readonly manifest: Omit<Manifest, 'files' | 'digest'> };

export interface Sealed {
  readonly manifest: Manifest;
  /** Path inside the suite's folder → bytes; the manifest is not among them. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Encodes a nano-set and seals it: every file's sha256 in the manifest, and the manifest under its own digest. */
export function sealNanoSet(nano: Unsealed): Sealed {
  const { task } = nano.manifest;
  const files = new Map<string, Uint8Array>([
    [nanoPaths.corpus(task), encodeParquet(textColumns(nano.docs))],
    [nanoPaths.queries(task), encodeParquet([...textColumns(nano.queries), ...metaColumn(nano)])],
    [nanoPaths.qrels(task), encodeParquet(qrelColumns(nano))],
  ]);
  for (const [name, pool] of nano.pools) files.set(nanoPaths.pool(name, task), encodeParquet(poolColumns(name, pool)));
  const digests = Object.fromEntries([...files].map(([path, bytes]) => [path, sha256(bytes)]));
  return { manifest: sealManifest({ ...nano.manifest, files: digests }), files };
}

function sealManifest(manifest: Omit<Manifest, 'digest'>): Manifest {
  return { ...manifest, digest: digestOf(manifest as unknown as Json) };
}

/** What the digest of a manifest must be. */
export function manifestDigest(manifest: Manifest): Digest {
  const { digest: _, ...rest } = manifest;
  return digestOf(rest as unknown as Json);
}

export function manifestText(manifest: Manifest): string {
  return prettyJson(manifest as unknown as Json);
}

function textColumns(rows: readonly { readonly id: string; readonly text: string }[]): Column[] {
  return [
    { name: '_id', type: 'string', values: rows.map((row) => row.id) },
    { name: 'text', type: 'string', values: rows.map((row) => row.text) },
  ];
}

/** There even when it is empty: the tasks of a suite are splits of one data set, whose columns must agree. */
function metaColumn({ queries }: Unsealed): Column[] {
  const values = queries.map(({ meta }) => (meta === undefined ? null : JSON.stringify(meta)));
  return [{ name: 'meta', type: 'string', values, optional: true }];
}

/** Judgements by query in its stored order, then by document in the order of the map (code points). */
function qrelColumns({ queries, judged }: Unsealed): Column[] {
  const rows = queries.flatMap(({ id }) => [...(judged.get(id) ?? [])].map(([doc, grade]) => ({ id, doc, grade })));
  return [
    { name: 'query-id', type: 'string', values: rows.map((row) => row.id) },
    { name: 'corpus-id', type: 'string', values: rows.map((row) => row.doc) },
    { name: 'score', type: 'int32', values: rows.map((row) => row.grade) },
  ];
}

function poolColumns(name: string, pool: Pool): Column[] {
  if (name !== 'hybrid') return rankingColumns(pool);
  const forced = [...pool.values()].map((row) => row.forced);
  return [...rankingColumns(pool), { name: 'forced', type: 'list<string>', values: forced }];
}
