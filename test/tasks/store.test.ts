import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { taskId } from '../../core/ids.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { isIntact, listBuilt, readManifest, readNanoSet, suiteFolder, writeNanoSet } from '../../tasks/store.js';
import { animals, smallNano, temporaryFolder } from '../small-nano.js';

const id = taskId('test/small');

async function written() {
  const root = temporaryFolder();
  const sealed = sealNanoSet(smallNano(animals));
  await writeNanoSet(root, sealed);
  return { root, sealed };
}

test('a nano-set comes back as it was written, hostile ids included', async () => {
  const { root, sealed } = await written();
  const nano = await readNanoSet(root, id);
  const original = smallNano(animals);
  expect(nano.docs).toEqual(original.docs);
  expect(nano.queries).toEqual(original.queries);
  expect(nano.judged).toEqual(original.judged);
  expect(nano.pools).toEqual(original.pools);
  expect(nano.manifest).toEqual(sealed.manifest);
  expect(await isIntact(root, nano.manifest)).toBe(true);
  expect(await listBuilt(root)).toEqual([id]);
});

test('sealing twice gives the same bytes', () => {
  const [first, second] = [sealNanoSet(smallNano(animals)), sealNanoSet(smallNano(animals))];
  expect([...second.files]).toEqual([...first.files]);
  expect(second.manifest.digest).toBe(first.manifest.digest);
});

test('one flipped byte in any file is an error that names the file', async () => {
  const { root, sealed } = await written();
  for (const name of sealed.files.keys()) {
    const path = join(suiteFolder(root, 'test'), name);
    const bytes = readFileSync(path);
    const middle = bytes.length >> 1;
    writeFileSync(
      path,
      bytes.map((byte, i) => (i === middle ? byte ^ 1 : byte)),
    );
    await expect(readNanoSet(root, id)).rejects.toThrow(`digest differs from the manifest: ${path}`);
    expect(await isIntact(root, sealed.manifest)).toBe(false);
    writeFileSync(path, bytes);
  }
});

test('a manifest that was edited is an error, and so is one that is cut off', async () => {
  const { root } = await written();
  const path = join(suiteFolder(root, 'test'), 'manifests/small.json');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"seed": 17', '"seed": 18'));
  await expect(readManifest(root, id)).rejects.toThrow(path);
  writeFileSync(path, text.slice(0, 100));
  await expect(readManifest(root, id)).rejects.toThrow('not JSON');
  writeFileSync(path, text.replace('corpus/small.parquet', '../../etc/passwd'));
  await expect(readManifest(root, id)).rejects.toThrow('not a manifest');
});

test('a missing task says how to build it', async () => {
  await expect(readNanoSet(temporaryFolder(), id)).rejects.toThrow('Run `tenbin build test/small` first.');
});

test('what a killed process left half-written goes away with the next write; a living one keeps its own', async () => {
  const { root, sealed } = await written();
  const folder = join(suiteFolder(root, 'test'), 'corpus');
  const dead = join(folder, '.small.parquet.999999999-0123abcd.tmp');
  const alive = join(folder, `.small.parquet.${process.ppid}-0123abcd.tmp`);
  writeFileSync(dead, 'half');
  writeFileSync(alive, 'half');
  await writeNanoSet(root, sealed);
  expect(existsSync(dead)).toBe(false);
  expect(existsSync(alive)).toBe(true);
  expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual(['small.parquet']);
});

test('a target that cannot be written is one clear sentence and leaves nothing behind', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'nano'), 'a file in the way');
  await expect(writeNanoSet(root, sealNanoSet(smallNano(animals)))).rejects.toThrow(
    'A file stands where a folder is wanted',
  );
  expect(readdirSync(root)).toEqual(['nano']);
});

test('a file system that takes no folders ends in an error, not in a loop', async ({ skip }) => {
  if (!existsSync('/proc/self')) skip('there is no /proc here');
  await expect(writeNanoSet('/proc/tenbin', sealNanoSet(smallNano(animals)))).rejects.toThrow('/proc/tenbin');
});
