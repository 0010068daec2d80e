import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { byCodePoint } from '../../core/order.js';
import { isInPlace, type RepoFolders, readRef, repoFolders } from './layout.js';
import type { HubFile } from './listing.js';
import { checkRepo, checkRevision, isCommit } from './names.js';
import { readRecord } from './record.js';
import type { HubRequest } from './session.js';

/** Files of a repository at a revision. */
export interface ModelWish extends Pick<HubRequest, 'repo' | 'revision' | 'kind' | 'settings'> {
  /** Which files are wanted, by path. */
  readonly files: (path: string) => boolean;
  /** Paths that must be there, whatever `files` says: one that is not is an error that names it. */
  readonly required?: readonly string[];
}

export interface HubModel {
  /** Absolute: `snapshots/<commit>`. */
  readonly folder: string;
  readonly commit: string;
  /** The wanted files, by code point. */
  readonly files: readonly string[];
}

export type CacheState =
  /**
   * All wanted files are there. `listing`: by the commit's list of files. `files`: there is no such list (an older Python
   * wrote the cache), so only `required` is known to be complete.
   */
  | { readonly state: 'complete'; readonly known: 'listing' | 'files'; readonly model: HubModel }
  | { readonly state: 'incomplete'; readonly missing: readonly string[] }
  | { readonly state: 'unknown-revision' };

/** The model if all that is wanted of it is in the cache, else null. No network. */
export async function findCached(wish: ModelWish): Promise<HubModel | null> {
  const found = await lookInCache(wish);
  return found.state === 'complete' ? found.model : null;
}

/** `findCached` with the reason where it is not there. */
export async function lookInCache(wish: ModelWish): Promise<CacheState> {
  const { folders, commit, listing } = await cachedCommit(wish);
  if (commit === null) return { state: 'unknown-revision' };
  if (listing === null) return lookAtFiles(wish, folders, commit);
  const wanted = wantedOf(wish, listing);
  const missing = absentOf(wish, listing);
  for (const file of wanted) if (!(await isInPlace(folders, commit, file))) missing.push(file.path);
  if (missing.length > 0 || wanted.length === 0) return { state: 'incomplete', missing };
  const files = wanted.map(({ path }) => path);
  return { state: 'complete', known: 'listing', model: { folder: join(folders.snapshots, commit), commit, files } };
}

/** What the cache knows of a revision. Names are checked here, before they become paths. */
export async function cachedCommit({ repo, revision, kind = 'model', settings }: Omit<ModelWish, 'files'>) {
  checkRepo(repo);
  checkRevision(revision);
  const folders = repoFolders(settings, { kind, name: repo });
  const commit = isCommit(revision) ? revision : await readRef(folders, revision);
  return { folders, commit, listing: commit === null ? null : await readRecord(folders, commit) };
}

/** The files of a listing that a wish is about, by code point. */
export function wantedOf({ files, required = [] }: ModelWish, listing: readonly HubFile[]): readonly HubFile[] {
  const must = new Set(required);
  return listing.filter(({ path }) => must.has(path) || files(path)).sort((a, b) => byCodePoint(a.path, b.path));
}

/** Required paths that a listing does not have. */
export function absentOf({ required = [] }: ModelWish, listing: readonly HubFile[]): string[] {
  const paths = new Set(listing.map(({ path }) => path));
  return required.filter((path) => !paths.has(path));
}

/** Without a list, what is wanted is what can be seen. */
async function lookAtFiles(wish: ModelWish, folders: RepoFolders, commit: string): Promise<CacheState> {
  const folder = join(folders.snapshots, commit);
  const must = new Set(wish.required);
  const seen = await filesBelow(folder);
  const files = seen.filter((path) => must.has(path) || wish.files(path)).sort(byCodePoint);
  const missing = [...must].filter((path) => !files.includes(path));
  if (missing.length > 0 || files.length === 0) return { state: 'incomplete', missing };
  return { state: 'complete', known: 'files', model: { folder, commit, files } };
}

/** Paths of regular files, links to them included, dead links not. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const facts = entry.isDirectory() ? null : await stat(path).catch(() => null);
    if (facts?.isFile()) found.push(relative(folder, path).split(sep).join('/'));
  }
  return found;
}
