import { join } from 'node:path';
import { byCodePoint } from '../../core/order.js';
import { cachedCommit, filesBelow } from './cached.js';
import { isCommit } from './names.js';
import { cacheInstead, refuseOffline } from './offline.js';
import { type HubOutside, realOutside } from './outside.js';
import { settle } from './plan.js';
import { writeRecord } from './record.js';
import { type HubRequest, openSession } from './session.js';

export interface HubListing {
  readonly commit: string;
  /** Paths by code point: what there is, not what was downloaded. */
  readonly files: readonly string[];
}

/**
 * The files of a repository at a revision, for who must choose among them; nothing is downloaded. The list is kept, so a
 * commit is asked for once. Where the hub may not or cannot be asked: the list that was kept, else the files that are in
 * the cache. Errors as of `downloadModel`.
 */
export async function listModel(request: HubRequest, outside: HubOutside = realOutside): Promise<HubListing> {
  const { folders, commit, listing } = await cachedCommit(request);
  const paths = listing?.map(({ path }) => path) ?? (await filesBelow(join(folders.snapshots, commit ?? 'none')));
  const cached = commit === null || paths.length === 0 ? null : { commit, files: paths.toSorted(byCodePoint) };
  if (cached !== null && listing !== null && isCommit(request.revision)) return cached;
  const session = openSession(request, outside, new AbortController());
  if (request.settings.offline) return cached ?? refuseOffline(session, []);
  try {
    const settled = await settle(session);
    // Only a convenience: a cache on a read-only disk is asked for again.
    await writeRecord(folders, settled.commit, settled.listing).catch(() => undefined);
    return { commit: settled.commit, files: settled.listing.map(({ path }) => path).sort(byCodePoint) };
  } catch (error) {
    return cacheInstead(session, error, cached);
  }
}
