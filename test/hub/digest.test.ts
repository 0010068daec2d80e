import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { isGenuine } from '../../runners/hub/digest.js';
import { temporaryFolder } from '../small-nano.js';
import { gitOid, sha256, someBytes } from './loopback-hub.js';

// `git hash-object` and sha256sum of an empty file and of `hello\n`.
describe.each([
  ['', 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [
    'hello\n',
    'ce013625030ba8dba906f756967f9e9ca394464a',
    '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
  ],
])('%j', (text, sha1, sha2) => {
  const file = () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, text);
    return path;
  };

  it('has the digests of git and of sha256sum, and so say the tests', async () => {
    const sizeBytes = text.length;
    expect(await isGenuine(file(), { sizeBytes, hash: { algorithm: 'git-sha1', hex: sha1 } })).toBe(true);
    expect(await isGenuine(file(), { sizeBytes, hash: { algorithm: 'sha256', hex: sha2 } })).toBe(true);
    expect(gitOid(Buffer.from(text))).toBe(sha1);
    expect(sha256(Buffer.from(text))).toBe(sha2);
  });

  it('is not genuine under another size or digest', async () => {
    const sizeBytes = text.length + 1;
    expect(await isGenuine(file(), { sizeBytes, hash: { algorithm: 'git-sha1', hex: sha1 } })).toBe(false);
    expect(await isGenuine(file(), { sizeBytes, hash: { algorithm: 'sha256', hex: sha2 } })).toBe(false);
    const other = { algorithm: 'sha256', hex: sha1 } as const;
    expect(await isGenuine(file(), { sizeBytes: text.length, hash: other })).toBe(false);
  });
});

test('files of several pieces are read whole', async () => {
  const bytes = someBytes((3 << 20) + 1);
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, bytes);
  const sizeBytes = bytes.length;
  expect(await isGenuine(path, { sizeBytes, hash: { algorithm: 'sha256', hex: sha256(bytes) } })).toBe(true);
  expect(await isGenuine(path, { sizeBytes, hash: { algorithm: 'git-sha1', hex: gitOid(bytes) } })).toBe(true);
});
