import { join } from 'node:path';
import pLimit from 'p-limit';
import { TenbinError } from '../../core/errors.js';
import { sweepTemporaries } from '../../tasks/files.js';
import { obtainBlob } from './blob.js';
import { type HubModel, lookInCache, type ModelWish } from './cached.js';
import { inFile, makeFolder } from './folders.js';
import { placePointer, pointerPath, writeRef } from './layout.js';
import type { HubFile } from './listing.js';
import { isCommit } from './names.js';
import { cacheInstead, refuseOffline } from './offline.js';
import { type HubOutside, realOutside } from './outside.js';
import { makePlan, type Plan } from './plan.js';
import { writeRecord } from './record.js';
import { type HubRequest, type HubSession, openSession } from './session.js';

/** For a bar: `doneBytes` begins with what is there already and falls back when a file is fetched from its start again. */
export interface DownloadStep {
  readonly file: string;
  readonly doneBytes: number;
  readonly totalBytes: number;
}

export interface ModelRequest extends ModelWish, HubRequest {
  /** Called for files that were not in their place. */
  readonly onProgress?: (step: DownloadStep) => void;
  /** Files at once; 4 when not said. */
  readonly parallel?: number;
}

/**
 * Brings the wanted files of a repository into the cache that is shared with Python's huggingface_hub, and says where
 * they are. A commit that is cached whole asks nothing of the network. Where a hub gives no answer and the cache has all,
 * the cache is used and a note says so. Every file is compared with the listing's size and digest before it is seen.
 * Errors: gated, missing (repository, revision, file), offline, rate-limited, damaged, refused listings.
 */
export async function downloadModel(request: ModelRequest, outside: HubOutside = realOutside): Promise<HubModel> {
  const { settings, parallel = 4 } = request;
  if (!Number.isInteger(parallel) || parallel < 1) {
    const fix = 'Give a whole number from 1.';
    throw new TenbinError('usage', { what: 'This many downloads at once cannot be', value: String(parallel), fix });
  }
  const found = await lookInCache(request);
  const cached = found.state === 'complete' ? found.model : null;
  if (found.state === 'complete' && found.known === 'listing' && isCommit(request.revision)) return found.model;
  const stop = new AbortController();
  const session = openSession(request, outside, stop);
  if (settings.offline) return cached ?? refuseOffline(session, found.state === 'incomplete' ? found.missing : []);
  const plan = await planOrCache(session, request, cached);
  return 'folder' in plan ? plan : carryOut(session, request, { plan, parallel, stop });
}

async function planOrCache(
  session: HubSession,
  request: ModelRequest,
  cached: HubModel | null,
): Promise<Plan | HubModel> {
  try {
    return await makePlan(session, request);
  } catch (error) {
    return cacheInstead(session, error, cached);
  }
}

interface Work {
  readonly plan: Plan;
  readonly parallel: number;
  readonly stop: AbortController;
}

/** The reference comes last: who follows it offline finds a whole snapshot. */
async function carryOut(session: HubSession, request: ModelRequest, work: Work): Promise<HubModel> {
  const { folders, commit, listing, wanted, pending } = work.plan;
  const record = () => writeRecord(folders, commit, listing);
  const refer = () => writeRef(folders, session.revision, commit);
  if (pending.size > 0) {
    await record();
    await inFile(folders.blobs, () => makeFolder(folders.blobs));
    await sweepTemporaries(folders.blobs);
    await fetchAll(session, request, work);
    await refer();
  } else {
    // A cache that is whole may be on a disk that is read-only.
    await Promise.allSettled([record(), refer()]);
  }
  return { folder: join(folders.snapshots, commit), commit, files: wanted.map(({ path }) => path) };
}

/** All blobs, some at once. The first failure stops the others, which put away what they have. */
async function fetchAll(session: HubSession, request: ModelRequest, { plan, parallel, stop }: Work): Promise<void> {
  const limit = pLimit(parallel);
  const failures: unknown[] = [];
  const jobs = [...plan.pending.values()].map((files) =>
    limit(async () => {
      try {
        session.signal.throwIfAborted();
        await fetchOne(session, request, { plan, files });
      } catch (error) {
        failures.push(error);
        stop.abort();
      }
    }),
  );
  await Promise.all(jobs);
  if (failures.length > 0) throw failures[0];
}

interface Batch {
  readonly plan: Plan;
  /** Of the same bytes. */
  readonly files: readonly HubFile[];
}

async function fetchOne(session: HubSession, { onProgress }: ModelRequest, { plan, files }: Batch): Promise<void> {
  const { folders, commit } = plan;
  const [file] = files;
  if (file === undefined) return;
  const onBytes = (doneBytes: number) => {
    for (const { path, sizeBytes } of files) onProgress?.({ file: path, doneBytes, totalBytes: sizeBytes });
  };
  const blob = await obtainBlob(session, { blobs: folders.blobs, commit, file, onBytes });
  for (const { path } of files) await placePointer(session, blob, pointerPath(folders, commit, path));
}
