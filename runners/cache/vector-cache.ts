import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Digest } from '../../core/digest.js';
import { fileError, readIfThere, sweepTemporaries } from '../../tasks/files.js';
import type { CacheEntry, VectorCache } from '../system.js';
import { entriesOf, pruneTo } from './entries.js';
import { decodeEntry, encodeEntry } from './entry-bytes.js';

export interface VectorCacheOptions {
  readonly folder: string;
  /** When the files take more, those used longest ago go. */
  readonly limitBytes: number;
}

/** Where the cache lies below the root of everything written. */
export function cacheFolder(root: string): string {
  return join(root, 'cache', 'vectors');
}

/**
 * A folder of files named by the digest of what they hold. A file that is damaged counts as absent, so a write need not
 * be flushed: after a loss of power the digest tells, and the texts are encoded again.
 */
export function vectorCache({ folder, limitBytes }: VectorCacheOptions): VectorCache {
  const sizes = sizeWatch(folder, limitBytes);
  const get = async (key: Digest): Promise<CacheEntry | null> => {
    const path = entryPath(folder, key);
    const bytes = await readIfThere(path);
    const entry = bytes === null ? null : decodeEntry(bytes);
    if (entry === null || 'damage' in entry) return null;
    await touch(path);
    return entry;
  };
  const swept = new Set<string>();
  const put = async (key: Digest, entry: CacheEntry): Promise<void> => {
    const group = dirname(entryPath(folder, key));
    if (!swept.has(group)) await sweepTemporaries(group);
    swept.add(group);
    const bytes = encodeEntry(entry);
    await write(entryPath(folder, key), bytes);
    await sizes.added(bytes.length);
  };
  return { get, put };
}

export function entryPath(folder: string, key: string): string {
  return join(folder, key.slice(0, 2), `${key}.vec`);
}

/** Looks at the folder's size at the first write and then each time a sixteenth of the limit has been written. */
function sizeWatch(folder: string, limitBytes: number) {
  let unseen = Number.POSITIVE_INFINITY;
  const added = async (bytes: number): Promise<void> => {
    unseen += bytes;
    if (unseen < limitBytes / 16) return;
    unseen = 0;
    await pruneTo(await entriesOf(folder), limitBytes);
  };
  return { added };
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileError('write', path, cause);
  }
}

/** The time of a file is when it was used last; where it cannot be set, the file only looks older than it is. */
async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}
