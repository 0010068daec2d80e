import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TenbinError } from '../core/errors.js';
import { readBytes } from '../tasks/files.js';

/** The bytes of an operand: a file, or stdin for `-`. */
export async function readOperand(path: string): Promise<Uint8Array> {
  if (path !== '-') return readBytes(path);
  if (process.stdin.readableEnded) {
    throw new TenbinError('usage', {
      what: 'stdin is read once, and `-` stands for it twice',
      value: '-',
      fix: 'Give one of them as a file.',
    });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A run operand may be a run's folder as `tenbin run --format json` gives it, below the root or as it stands. */
export async function runFolderOf(operand: string, root: string): Promise<string | null> {
  for (const folder of [operand, join(root, operand)]) if (await hasRecord(folder)) return folder;
  return null;
}

async function hasRecord(folder: string): Promise<boolean> {
  return stat(join(folder, 'run.json')).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

export function noSuchRun(operand: string): TenbinError {
  return new TenbinError('missing', {
    what: 'There is no complete run here',
    value: operand,
    fix: 'Give the `path` that `tenbin run --format json` prints.',
  });
}
