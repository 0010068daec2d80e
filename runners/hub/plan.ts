import { listFilesOf, resolveCommit } from './api.js';
import { absentOf, type ModelWish, wantedOf } from './cached.js';
import { hubError } from './hub-error.js';
import { isInPlace, type RepoFolders, repoFolders } from './layout.js';
import type { HubFile } from './listing.js';
import { isCommit, repoPage } from './names.js';
import { readRecord } from './record.js';
import { type HubSession, sessionError, spelled } from './session.js';

/** What is to be done for a wish, with the commit settled. */
export interface Plan {
  readonly folders: RepoFolders;
  readonly commit: string;
  readonly listing: readonly HubFile[];
  readonly wanted: readonly HubFile[];
  /** Those of `wanted` that are not in place, by blob: files of the same bytes are fetched once. */
  readonly pending: ReadonlyMap<string, readonly HubFile[]>;
}

/** Settles the commit, then lists its files: a list that was kept is as good as a new one, since a commit never changes. */
export async function makePlan(session: HubSession, wish: ModelWish): Promise<Plan> {
  const folders = repoFolders(session.settings, session.repo);
  const commit = isCommit(session.revision) ? session.revision : await resolveCommit(session);
  const listing = (await readRecord(folders, commit)) ?? (await listFilesOf(session, commit));
  const [absent] = absentOf(wish, listing);
  if (absent !== undefined) {
    throw hubError(session, { kind: 'file', path: absent }, { kind: 'missing', part: 'file' });
  }
  const wanted = wantedOf(wish, listing);
  if (wanted.length === 0) {
    throw sessionError(session, 'missing', {
      what: 'The repository has none of the files that are wanted',
      value: spelled(session),
      fix: `Look at ${repoPage(session.settings.endpoint, session.repo)} for the files that it has, or name another revision.`,
    });
  }
  const pending = new Map<string, HubFile[]>();
  for (const file of wanted) {
    if (await isInPlace(folders, commit, file)) continue;
    pending.set(file.hash.hex, [...(pending.get(file.hash.hex) ?? []), file]);
  }
  return { folders, commit, listing, wanted, pending };
}
