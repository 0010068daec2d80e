import { join } from 'node:path';
import { z } from 'zod';
import type { Json } from '../../core/canonical.js';
import { type RepoFolders, readCached, writeCached } from './layout.js';
import { type HubFile, parseListing } from './listing.js';

/**
 * The list of a commit's files beside the blobs: `trees/<commit>.json`, in the format of Python's huggingface_hub 2
 * (`_tree_cache.py`), which reads ours as we read its. It says what there is, not what was downloaded. Older versions of
 * Python's library leave the folder alone.
 */
const recordSchema = z.object({ format_version: z.literal(1), files: z.looseObject({}) });
const fileSchema = z.object({
  size: z.number(),
  blob_id: z.string(),
  lfs_sha256: z.string().nullish(),
  lfs_size: z.number().nullish(),
  xet_hash: z.string().nullish(),
});

function recordPath({ root }: RepoFolders, commit: string): string {
  return join(root, 'trees', `${commit}.json`);
}

/** Null where there is none, or one that is damaged or of another format: the hub is then asked again. */
export async function readRecord(folders: RepoFolders, commit: string): Promise<readonly HubFile[] | null> {
  const text = await readCached(recordPath(folders, commit));
  if (text === null) return null;
  try {
    const record: unknown = JSON.parse(text);
    recordSchema.parse(record);
    // Not what the schema gives back: a file may be called `__proto__`.
    const { files } = record as { readonly files: object };
    const listing = parseListing(Object.entries(files).map(([path, info]) => entryOf(path, info)));
    return 'why' in listing ? null : listing;
  } catch {
    return null;
  }
}

function entryOf(path: string, info: unknown): object {
  const { size, blob_id: oid, lfs_sha256, lfs_size, xet_hash: xetHash } = fileSchema.parse(info);
  const lfs = lfs_sha256 ? { oid: lfs_sha256, size: lfs_size ?? size } : null;
  return { type: 'file', path, size, oid, lfs, xetHash };
}

export async function writeRecord(folders: RepoFolders, commit: string, files: readonly HubFile[]): Promise<void> {
  const entries = files.map((file) => [file.path, infoOf(file)] as const);
  const record = { format_version: 1, files: Object.fromEntries(entries) };
  await writeCached(recordPath(folders, commit), JSON.stringify(record, null, 1));
}

function infoOf({ sizeBytes, gitOid, hash, xetHash }: HubFile): Json {
  const lfs = hash.algorithm === 'sha256' ? { lfs_sha256: hash.hex, lfs_size: sizeBytes } : {};
  const isXet = xetHash !== null && /^[0-9a-f]{64}$/.test(xetHash);
  return { size: sizeBytes, blob_id: gitOid, ...lfs, ...(isXet ? { xet_hash: xetHash } : {}) };
}
