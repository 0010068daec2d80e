import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileError } from '../../../tasks/files.js';

/**
 * The sha256 of each named file below a folder, in lower-case hex. Files are streamed, one after the other: a graph may be
 * larger than memory. Files that are not there are left out, which a digest of the result tells from any content.
 */
export async function fingerprintFolder(
  folder: string,
  files: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const digests: [name: string, digest: string][] = [];
  for (const name of files) {
    const digest = await digestOfFile(join(folder, name));
    if (digest !== null) digests.push([name, digest]);
  }
  return Object.fromEntries(digests);
}

async function digestOfFile(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fileError('read', path, cause);
  }
  return hash.digest('hex');
}
