import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ByteSource } from './layout.js';

/** At least so many bytes are read at once. */
const pieceBytes = 1 << 20;

/** What a file of its own holds after `write`, handed to `read`; nothing of it is left behind. */
export function throughFile<T>(write: (path: string) => void, read: (source: ByteSource) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'tenbin-hnsw-'));
  try {
    const path = join(folder, 'graph');
    write(path);
    const file = openSync(path, 'r');
    try {
      return read(bytesOf(file));
    } finally {
      closeSync(file);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bytesOf(file: number): ByteSource {
  let buffer = Buffer.alloc(pieceBytes);
  let [start, end] = [0, 0];
  /** Moves what is left to the front and reads on until there are `count` bytes; says whether there are. */
  const fill = (count: number): boolean => {
    const next = count > buffer.length ? Buffer.alloc(count) : buffer;
    buffer.copy(next, 0, start, end);
    [buffer, end, start] = [next, end - start, 0];
    while (end < count) {
      const read = readSync(file, buffer, end, buffer.length - end, null);
      if (read === 0) return false;
      end += read;
    }
    return true;
  };
  const take = (count: number): Uint8Array | null => {
    if (end - start < count && !fill(count)) return null;
    start += count;
    return buffer.subarray(start - count, start);
  };
  return { size: fstatSync(file).size, take };
}
