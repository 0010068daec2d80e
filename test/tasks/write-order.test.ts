import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeAllAtomic } from '../../tasks/files.js';
import { temporaryFolder } from '../small-nano.js';

test('files come into place in the order given: a failure before the last leaves the last one out', async () => {
  const folder = temporaryFolder();
  // A folder that is not empty cannot be replaced by a file: the rename of the second one fails.
  mkdirSync(join(folder, 'b/inside'), { recursive: true });
  const files = ['a', 'b', 'manifest'].map((name) => ({ path: join(folder, name), data: name }));
  await expect(writeAllAtomic(files)).rejects.toThrow('A folder stands where a file is to be written');
  expect(existsSync(join(folder, 'a'))).toBe(true);
  expect(existsSync(join(folder, 'manifest'))).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('nothing is in place before everything is written in full', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), 'in the way');
  const files = [join(folder, 'a'), join(folder, 'file/b')].map((path) => ({ path, data: 'x' }));
  await expect(writeAllAtomic(files)).rejects.toThrow('A file stands where a folder is wanted');
  expect(readdirSync(folder)).toEqual(['file']);
});
