import { listFilesOf, resolveCommit } from './api.js';
import { absentOf, type ModelWish, wantedOf } from './cached.js';
import { hubError } from './hub-error.js';
import { isInPlace, type RepoFolders, repoFolders } from './layout.js';
import type { HubFile } from './listing.js';
import { isCommit, repoPage } from './names.js';
import { readRecord } from './record.js';
import { type HubSession, sessionError, spelled } from './session.js';

/** What a revision stands for. */
export interface Settled {
  readonly folders: RepoFolders;
  readonly commit: string;
  readonly listing: readonly HubFile[];
}

/** What is to be done for a wish. */
export interface Plan extends Settled {
  readonly wanted: readonly HubFile[];
  /** Those of `wanted` that are not in place, by blob: files of the same bytes are fetched once. */
  readonly pending: ReadonlyMap<string, readonly HubFile[]>;
}

/** Settles the commit, then lists its files: a list that was kept is as good as a new one, since a commit never changes. */
export async function settle(session: HubSession): Promise<Settled> {
  const folders = repoFolders(session.settings, session.repo);
  const commit = isCommit(session.revision) ? session.revision : await resolveCommit(session);
  const listing = (await readRecord(folders, commit)) ?? (await listFilesOf(session, commit));
  return { folders, commit, listing };
}

/** Which of the wanted files are still to be fetched. A required file that is not listed is an error. */
export async function makePlan(session: HubSession, wish: ModelWish): Promise<Plan> {
  const { folders, commit, listing } = await settle(session);
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
