import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TenbinError } from '../../core/errors.js';
import { fileError } from '../../tasks/files.js';

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

/** One clear sentence for what the file system says; errors that have theirs already go through. */
export async function inFile<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw cause instanceof TenbinError ? cause : fileError('write', path, cause);
  }
}
