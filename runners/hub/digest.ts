import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { HubFile } from './listing.js';

/**
 * Whether the bytes of a file on disk are those of the listing: sha256, or git's blob id, which is the sha1 of
 * `blob <size>\0` and the bytes. Reads the whole file: what counts is what was written, not what was received.
 */
export async function isGenuine(path: string, { hash, sizeBytes }: Pick<HubFile, 'hash' | 'sizeBytes'>) {
  const digest = createHash(hash.algorithm === 'sha256' ? 'sha256' : 'sha1');
  if (hash.algorithm === 'git-sha1') digest.update(`blob ${sizeBytes}\0`);
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    bytes += (chunk as Buffer).length;
    digest.update(chunk as Buffer);
  }
  return bytes === sizeBytes && digest.digest('hex') === hash.hex;
}
