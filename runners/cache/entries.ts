import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { byCodePoint } from '../../core/order.js';
import { readIfThere } from '../../tasks/files.js';
import { decodeEntry, decodeHeader } from './entry-bytes.js';

/** A file of the cache as the file system shows it. */
export interface EntryFile {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds of the epoch. */
  readonly usedMs: number;
}

/** Every file of the cache, and what killed processes left behind, in code-point order. */
export async function entriesOf(folder: string): Promise<EntryFile[]> {
  const found: EntryFile[] = [];
  const groups = await readdir(folder).catch(() => [] as string[]);
  for (const group of groups.filter((name) => /^[0-9a-f]{2}$/.test(name)).sort(byCodePoint)) {
    const names = await readdir(join(folder, group)).catch(() => [] as string[]);
    for (const name of names.sort(byCodePoint)) {
      if (!/^([0-9a-f]{64}\.vec|\.[0-9a-f]{64}\.vec\.\d+-[0-9a-f]{8}\.tmp)$/.test(name)) continue;
      const path = join(folder, group, name);
      const facts = await stat(path).catch(() => null);
      if (facts?.isFile()) found.push({ path, bytes: facts.size, usedMs: facts.mtimeMs });
    }
  }
  return found;
}

export interface EntrySummary extends EntryFile {
  readonly model: string;
  readonly kind: string;
  /** Why the file cannot be used; null when it can, as far as its header tells. */
  readonly damage: string | null;
}

const headerBytes = 1 << 16;

/** What a file says of itself, by its first bytes alone. */
export async function describe(file: EntryFile): Promise<EntrySummary> {
  const found = decodeHeader(await firstBytes(file.path));
  if ('damage' in found) return { ...file, model: '?', kind: '?', damage: found.damage };
  const { model, kind } = found.header.facts;
  return { ...file, model: String(model ?? '?'), kind: String(kind ?? '?'), damage: null };
}

/** Reads the whole file: null when every byte is what was written. */
export async function damageOf({ path }: EntryFile): Promise<string | null> {
  const bytes = await readIfThere(path);
  if (bytes === null) return null;
  const entry = decodeEntry(bytes);
  return 'damage' in entry ? entry.damage : null;
}

/** Removes the files used longest ago until the rest takes at most so many bytes; returns what it removed. */
export async function pruneTo(files: readonly EntryFile[], limitBytes: number): Promise<EntryFile[]> {
  const newestFirst = [...files].sort((a, b) => b.usedMs - a.usedMs || byCodePoint(a.path, b.path));
  const removed: EntryFile[] = [];
  let kept = 0;
  for (const file of newestFirst) {
    kept += file.bytes;
    if (kept > limitBytes) removed.push(file);
  }
  for (const { path } of removed) await rm(path, { force: true });
  return removed;
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const bytes = new Uint8Array(headerBytes);
    const { bytesRead } = await handle.read(bytes, 0, headerBytes, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
