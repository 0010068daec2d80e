import { createHash, randomBytes } from 'node:crypto';
import { copyFile, lstat, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { HubFile } from './listing.js';

/**
 * Names of half-downloaded blobs. Each download writes to a file of its own, so that two of them never write to one:
 *   <hash>.<host>-<pid>-<8 hex>.incomplete   being written by that process
 *   <hash>.kept-<8 hex>.incomplete           put away by a download that failed; whoever renames it first has it
 *   <hash>.incomplete                        of Python's library before 2.0; it may be in use, so it is copied, not taken
 * Later versions of Python's library write `<hash>.<8 hex>.incomplete` and delete them; those are left alone.
 */
const ending = '.incomplete';
const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

const fresh = () => randomBytes(4).toString('hex');

/** A name that nobody else writes to. */
function workingName(hex: string): string {
  return `${hex}.${host}-${process.pid}-${fresh()}${ending}`;
}

/** A path of one's own for a download, with what an earlier one left of the same blob where there is something. */
export async function claimPart(blobs: string, { hash, sizeBytes }: HubFile): Promise<string> {
  const own = join(blobs, workingName(hash.hex));
  for (const { path } of await claimable(blobs, hash.hex)) {
    const taken = await rename(path, own).then(
      () => true,
      () => false,
    );
    if (taken) return own;
  }
  const foreign = join(blobs, hash.hex + ending);
  const found = await lstat(foreign).catch(() => null);
  if (found?.isFile() && found.size <= sizeBytes) await copyFile(foreign, own).catch(() => undefined);
  return own;
}

/** Puts away what a failed download has, for the next one. */
export async function keepPart(blobs: string, hex: string, own: string): Promise<void> {
  const found = await lstat(own).catch(() => null);
  if (found === null || found.size === 0) return rm(own, { force: true });
  await rename(own, join(blobs, `${hex}.kept-${fresh()}${ending}`));
}

/** Once a blob is there, nobody needs the pieces of it. */
export async function sweepParts(blobs: string, hex: string): Promise<void> {
  for (const { path } of await claimable(blobs, hex)) await rm(path, { force: true });
}

/** Pieces of a blob that no living process writes to, the longest first. */
async function claimable(blobs: string, hex: string) {
  const names = (await readdir(blobs)).filter((name) => name.startsWith(`${hex}.`) && name.endsWith(ending));
  const found: { readonly path: string; readonly bytes: number }[] = [];
  for (const name of names) {
    const path = join(blobs, name);
    const facts = await lstat(path).catch(() => null);
    const middle = name.slice(hex.length + 1, -ending.length);
    if (facts?.isFile() && isLeft(middle, facts.mtimeMs)) found.push({ path, bytes: facts.size });
  }
  return found.sort((a, b) => b.bytes - a.bytes);
}

function isLeft(middle: string, writtenMs: number): boolean {
  if (/^kept-[0-9a-f]{8}$/.test(middle)) return true;
  const owner = /^([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{8}$/.exec(middle);
  return owner !== null && owner[1] === host && !isWriting(Number(owner[2]), writtenMs);
}

/** In a container that starts again, an earlier process had the same number: what is older than this process is not its. */
function isWriting(pid: number, writtenMs: number): boolean {
  if (pid === process.pid) return writtenMs >= Date.now() - process.uptime() * 1000;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
