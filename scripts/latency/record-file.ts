import { join } from 'node:path';
import { sha256 } from '../../core/digest.js';
import { type LatencyRecord, parseRecord } from '../../results/latency/samples.js';
import { readBytes, writeAtomic } from '../../tasks/files.js';

/** Writes the samples below the root under a name made of their digest; returns the path. */
export async function writeRecord(root: string, record: LatencyRecord): Promise<string> {
  const text = `${JSON.stringify(record)}\n`;
  const path = join(root, 'latency', `${sha256(text).slice(0, 16)}.json`);
  await writeAtomic(path, text);
  return path;
}

export async function readRecord(path: string): Promise<LatencyRecord> {
  return parseRecord(new TextDecoder().decode(await readBytes(path)), path);
}
