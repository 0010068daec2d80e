import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ErrorParts, TenbinError } from '../core/errors.js';

export interface FileToWrite {
  readonly path: string;
  readonly data: string | Uint8Array;
}

/**
 * Writes a whole file or nothing: a temporary file in the same folder, flushed, then renamed over the target. A killed
 * process leaves the old file or the new one, and at worst a temporary one that `sweepTemporaries` removes.
 */
export async function writeAtomic(path: string, data: string | Uint8Array): Promise<void> {
  await writeAllAtomic([{ path, data }]);
}

/**
 * Writes files that belong together: all of them in full beside their targets first, then the renames in the order
 * given, so that the last file (a manifest with digests) speaks for the others.
 */
export async function writeAllAtomic(files: readonly FileToWrite[]): Promise<void> {
  const staged: { readonly path: string; readonly temporary: string }[] = [];
  try {
    for (const { path, data } of files) staged.push({ path, temporary: await stage(path, data) });
    for (const { path, temporary } of staged) await inFile(path, () => rename(temporary, path));
  } catch (error) {
    for (const { temporary } of staged) await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function stage(path: string, data: string | Uint8Array): Promise<string> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  return inFile(path, async () => {
    await makeFolder(folder);
    const handle = await open(temporary, 'w');
    try {
      await handle.writeFile(data);
      await handle.sync();
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    } finally {
      await handle.close();
    }
    return temporary;
  });
}

/**
 * mkdir -p that others may race with. Node's own does not return where a file system refuses a folder with ENOENT
 * although its parent is there, as /proc does.
 */
export async function makeFolder(folder: string): Promise<void> {
  const refusal = await tryFolder(folder);
  if (refusal === null) return;
  if (dirname(folder) === folder) throw refusal;
  await makeFolder(dirname(folder));
  const again = await tryFolder(folder);
  if (again !== null) throw again;
}

/** Null when the folder is there, the refusal when its parent seems not to be. */
async function tryFolder(folder: string): Promise<Error | null> {
  try {
    await mkdir(folder);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return null;
    if (code === 'ENOENT') return error as Error;
    throw error;
  }
}

async function inFile<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw fileError('write', path, cause);
  }
}

/** Removes what killed processes left half-written in a folder; those of living processes stay. */
export async function sweepTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const stale = names.filter((name) => {
    const pid = /^\..*\.(\d+)-[0-9a-f]{8}\.tmp$/.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })));
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw fileError('read', path, cause);
  }
}

/** The bytes of a file, or null when there is none. */
export async function readIfThere(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fileError('read', path, cause);
  }
}

const sentences: Readonly<Record<string, readonly [what: string, fix: string]>> = {
  ENOENT: ['There is no such file', 'Check the path.'],
  EACCES: ['Permission is missing for this file', 'Check its owner and mode.'],
  EPERM: ['Permission is missing for this file', 'Check its owner and mode.'],
  EISDIR: ['A folder stands where a file is wanted', 'Give the path of a file.'],
  ENOTDIR: ['A file stands where a folder is wanted', 'Check the path, or choose another --out.'],
  ENOSPC: ['The disk is full', 'Free some space and run the same command again: it goes on where it stopped.'],
  EDQUOT: ['The disk quota is used up', 'Free some space and run the same command again: it goes on where it stopped.'],
  EROFS: ['The file system is read-only', 'Choose another folder with --out.'],
  EMFILE: ['Too many files are open', 'Raise the limit (`ulimit -n`) or lower --jobs.'],
  EFBIG: ['The file is larger than this system allows', 'Raise the limit (`ulimit -f`) or choose another --out.'],
  ENAMETOOLONG: ['The path is too long', 'Choose a shorter --out.'],
};

const folderInTheWay = [
  'A folder stands where a file is to be written',
  'Move it away, or choose another --out.',
] as const;

/** One clear sentence for what the file system said. */
export function fileError(action: 'read' | 'write', path: string, cause: unknown): TenbinError {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const known = action === 'write' && code === 'EISDIR' ? folderInTheWay : sentences[code];
  const [what, fix] = known ?? [`Could not ${action} this file (${String(cause)})`, 'Check the path.'];
  const parts: ErrorParts = { what, value: path, fix, cause };
  return new TenbinError(code === 'ENOENT' ? 'missing' : 'io', parts);
}
