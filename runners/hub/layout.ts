import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, lstat, open, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileError, writeAtomic } from '../../tasks/files.js';
import { inFile, makeFolder } from './folders.js';
import type { HubFile } from './listing.js';
import { type HubRepo, isCommit, repoFolderName } from './names.js';
import type { HubSession } from './session.js';
import type { HubSettings } from './settings.js';

/** The folders of one repository in the cache, as Python's huggingface_hub lays them out. */
export interface RepoFolders {
  readonly root: string;
  readonly blobs: string;
  readonly snapshots: string;
}

export function repoFolders(settings: HubSettings, repo: HubRepo): RepoFolders {
  const root = join(settings.cacheFolder, repoFolderName(repo));
  return { root, blobs: join(root, 'blobs'), snapshots: join(root, 'snapshots') };
}

/** Where a file of a commit is seen. The path was checked by `pathFault`. */
export function pointerPath({ snapshots }: RepoFolders, commit: string, path: string): string {
  return join(snapshots, commit, ...path.split('/'));
}

/** A small text of the cache, or null where there is none: others write there, and may have a folder in its place. */
export async function readCached(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) return null;
    throw fileError('read', path, cause);
  }
}

/** Writes a small text of the cache whole or not at all. */
export async function writeCached(path: string, text: string): Promise<void> {
  await inFile(path, () => makeFolder(dirname(path)));
  await writeAtomic(path, text);
}

/** The commit that a branch or tag stood for when it was last asked for. */
export async function readRef({ root }: RepoFolders, revision: string): Promise<string | null> {
  const commit = (await readCached(join(root, 'refs', ...revision.split('/'))))?.trim() ?? '';
  return isCommit(commit) ? commit : null;
}

export async function writeRef(folders: RepoFolders, revision: string, commit: string): Promise<void> {
  if (isCommit(revision) || (await readRef(folders, revision)) === commit) return;
  await writeCached(join(folders.root, 'refs', ...revision.split('/')), commit);
}

/**
 * Whether a file of a listing is to be seen in its snapshot: of the right size, and if it is a link, to the right blob.
 * Its bytes were compared with the digest before it came there; they are not read again.
 */
export async function isInPlace(folders: RepoFolders, commit: string, file: HubFile): Promise<boolean> {
  const path = pointerPath(folders, commit, file.path);
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size !== file.sizeBytes) return false;
    const isLink = (await lstat(path)).isSymbolicLink();
    return !isLink || basename(await readlink(path)) === file.hash.hex;
  } catch {
    return false;
  }
}

/** Shows a blob in a snapshot: made beside the blobs and renamed, so that nothing half-made is seen. */
export async function placePointer(session: HubSession, blob: string, pointer: string): Promise<void> {
  const temporary = join(dirname(blob), `.link.${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  await inFile(pointer, async () => {
    try {
      await makeFolder(dirname(pointer));
      await makePointer(session, { blob, temporary, target: relative(dirname(pointer), blob) });
      await rename(temporary, pointer);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  });
}

interface Pointer {
  readonly blob: string;
  readonly temporary: string;
  readonly target: string;
}

/** A relative link; where the file system refuses it, for whatever reason, a copy. */
async function makePointer({ settings, outside }: HubSession, { blob, temporary, target }: Pointer): Promise<void> {
  const linked =
    settings.links === 'symlink' &&
    (await outside.symlink(target, temporary).then(
      () => true,
      () => false,
    ));
  if (linked) return;
  await copyFile(blob, temporary, constants.COPYFILE_FICLONE);
  const handle = await open(temporary, 'r+');
  await handle.sync().finally(() => handle.close());
}
