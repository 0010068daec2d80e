import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { throughFile } from '../../runners/backends/hnsw/graph-file.js';

describe('a file of its own', () => {
  // More than two of the pieces that are read at once.
  const bytes = Uint8Array.from({ length: 2_200_000 }, (_, i) => (i * 7 + (i >> 8)) & 255);

  it.each([1_000, 999_983, 2_100_000])(
    'is read from first to last, %i bytes at a time, and left behind nowhere',
    (size) => {
      let folder = '';
      const read: Uint8Array[] = [];
      throughFile(
        (path) => {
          folder = dirname(path);
          writeFileSync(path, bytes);
        },
        (source) => {
          expect(source.size).toBe(bytes.length);
          for (let left = bytes.length; left > 0; left -= size) {
            const wanted = Math.min(size, left);
            // A source that ends before says so, and gives what there is to whoever asks for less.
            if (left < size) expect(source.take(size)).toBeNull();
            read.push(Uint8Array.from(source.take(wanted) ?? []));
          }
          expect(source.take(1)).toBeNull();
          expect(existsSync(folder)).toBe(true);
        },
      );
      expect(Buffer.concat(read).equals(bytes)).toBe(true);
      expect(existsSync(folder)).toBe(false);
    },
  );

  it('is removed where writing or reading fails, and where nothing was written', () => {
    const folders: string[] = [];
    const write = (path: string) => {
      folders.push(dirname(path));
      if (folders.length === 1) throw new Error('no room');
      if (folders.length === 2) writeFileSync(path, 'x');
    };
    const read = () => {
      throw new Error('odd');
    };
    expect(() => throughFile(write, read)).toThrow('no room');
    expect(() => throughFile(write, read)).toThrow('odd');
    expect(() => throughFile(write, read)).toThrow(/ENOENT/);
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, false, false]);
  });
});
