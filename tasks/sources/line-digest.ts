import { createHash } from 'node:crypto';
import { type Digest, digestOf } from '../../core/digest.js';
import { lineBatches, type TextFile } from './lines.js';

const digestBytes = 32;

interface Bucket {
  bytes: Buffer;
  used: number;
}

/**
 * A digest of a collection that does not depend on the order of lines, nor on line ends, blank lines or compression:
 * per file sha256 over the sorted sha256 of the lines, then over those by role. It holds 32 bytes per line.
 */
export async function collectionDigest(files: Readonly<Record<string, TextFile>>): Promise<Digest> {
  const digests: Record<string, string> = {};
  for (const [role, file] of Object.entries(files)) digests[role] = await sortedLinesDigest(file);
  return digestOf(digests);
}

/** Digests go to a bucket by their first byte, so that sorting touches one 256th of them at a time. */
async function sortedLinesDigest(file: TextFile): Promise<Digest> {
  const buckets = Array.from({ length: 256 }, (): Bucket => ({ bytes: Buffer.alloc(0), used: 0 }));
  for await (const batch of lineBatches(file)) {
    for (const { bytes } of batch) {
      const digest = createHash('sha256').update(bytes).digest();
      const bucket = buckets[digest.readUInt8(0)];
      if (bucket.used === bucket.bytes.length) bucket.bytes = grown(bucket.bytes);
      bucket.used += digest.copy(bucket.bytes, bucket.used);
    }
  }
  const whole = createHash('sha256');
  for (const { bytes, used } of buckets) {
    for (const digest of sorted(bytes.subarray(0, used))) whole.update(digest);
  }
  return whole.digest('hex') as Digest;
}

function grown(bytes: Buffer): Buffer {
  const larger = Buffer.alloc(Math.max(4 * digestBytes, Math.ceil(bytes.length / digestBytes / 2) * 3 * digestBytes));
  bytes.copy(larger);
  return larger;
}

function sorted(bytes: Buffer): readonly Buffer[] {
  const digests = Array.from({ length: bytes.length / digestBytes }, (_, i) =>
    bytes.subarray(i * digestBytes, (i + 1) * digestBytes),
  );
  return digests.sort(Buffer.compare);
}
