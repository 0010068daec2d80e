import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pullRest } from './body.js';
import { isGenuine } from './digest.js';
import { failureOf } from './failure.js';
import { inFile } from './folders.js';
import { hubError } from './hub-error.js';
import { claimPart, keepPart, sweepParts } from './leftovers.js';
import type { HubFile } from './listing.js';
import { openPart, type PartFile } from './part-file.js';
import { withRetries } from './retry.js';
import type { HubSession } from './session.js';

export interface BlobWish {
  readonly blobs: string;
  readonly commit: string;
  readonly file: HubFile;
  /** Called with the bytes that are there by now; fewer than before when a download starts over. */
  readonly onBytes: (doneBytes: number) => void;
}

/**
 * The path of a blob whose bytes were compared with the listing: one that is there already, or downloaded. It takes its
 * name only after the comparison, since whoever finds a blob trusts it.
 */
export async function obtainBlob(session: HubSession, wish: BlobWish): Promise<string> {
  const path = join(wish.blobs, wish.file.hash.hex);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() && (await inFile(path, () => isGenuine(path, wish.file)))) {
    wish.onBytes(wish.file.sizeBytes);
    return path;
  }
  await downloadBlob(session, wish, path);
  return path;
}

async function downloadBlob(session: HubSession, wish: BlobWish, path: string): Promise<void> {
  const { blobs, file } = wish;
  const own = await inFile(blobs, () => claimPart(blobs, file));
  try {
    const part = await openPart(own);
    await fill(session, wish, part).finally(() => part.close());
    await inFile(path, () => rename(own, path));
  } catch (error) {
    const isSpoilt = failureOf(error)?.kind === 'corrupt';
    await (isSpoilt ? rm(own, { force: true }) : keepPart(blobs, file.hash.hex, own)).catch(() => undefined);
    throw error;
  }
  await sweepParts(blobs, file.hash.hex).catch(() => undefined);
}

/**
 * Fills the part and compares it. A wrong one is fetched once more, from its first byte: what an earlier process left may
 * be spoilt, and so may one connection.
 */
async function fill(session: HubSession, wish: BlobWish, part: PartFile): Promise<void> {
  try {
    await pullAndCompare(session, wish, part);
  } catch (error) {
    if (failureOf(error)?.kind !== 'corrupt') throw error;
    await part.restart();
    await pullAndCompare(session, wish, part);
  }
  await part.sync();
}

async function pullAndCompare(session: HubSession, wish: BlobWish, part: PartFile): Promise<void> {
  const { commit, file } = wish;
  let received = 0;
  const onBytes = (bytes: number) => {
    received += bytes;
    wish.onBytes(part.sizeBytes());
  };
  wish.onBytes(Math.min(part.sizeBytes(), file.sizeBytes));
  await withRetries(
    session,
    () => pullRest(session, { commit, file, part, onBytes }),
    () => received,
  );
  if (await inFile(part.path, () => isGenuine(part.path, file))) return;
  const why = `its ${file.hash.algorithm} is not ${file.hash.hex.slice(0, 12)}…`;
  throw hubError(session, { kind: 'file', path: file.path }, { kind: 'corrupt', why });
}
