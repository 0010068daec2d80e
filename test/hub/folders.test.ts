import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../runners/hub/folders.js';
import { temporaryFolder } from '../small-nano.js';

test('folders are made with their parents, also by several at once', async () => {
  const root = temporaryFolder();
  const deep = join(root, 'a/b/c/d/e/f');
  await Promise.all(Array.from({ length: 50 }, () => makeFolder(deep)));
  expect(existsSync(deep)).toBe(true);
  await makeFolder(deep);
});

test('a folder that cannot be is an error, not a wait', async () => {
  await expect(makeFolder('/proc/tenbin/a/b')).rejects.toThrow('ENOENT');
  const root = temporaryFolder();
  writeFileSync(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file/a'))).rejects.toThrow('ENOTDIR');
});
