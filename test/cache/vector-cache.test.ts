import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../core/digest.js';
import { damageOf, describe as describeEntry, entriesOf, pruneTo } from '../../runners/cache/entries.js';
import { decodeEntry, encodeEntry } from '../../runners/cache/entry-bytes.js';
import { entryPath, vectorCache } from '../../runners/cache/vector-cache.js';
import type { CacheEntry } from '../../runners/system.js';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenbin-cache-'));
});
afterAll(() => rm(root, { recursive: true }));

const entry: CacheEntry = {
  facts: { kind: 'dense', model: 'm', width: 2 },
  arrays: { vectors: Float32Array.of(1, -0, 3.5, 1e-40), counts: Int32Array.of(7, -1), truncated: Uint8Array.of(1) },
};

describe('the bytes of an entry', () => {
  test('give every entry back, to the last bit', () => {
    const arrays = fc.record({
      vectors: fc.float32Array(),
      margins: fc.float64Array(),
      counts: fc.int32Array(),
      truncated: fc.uint8Array(),
    });
    fc.assert(
      fc.property(fc.string(), arrays, (model, given) => {
        expect(decodeEntry(encodeEntry({ facts: { model }, arrays: given }))).toEqual({
          facts: { model },
          arrays: given,
        });
      }),
    );
  });

  test('are the same for the same entry', () => {
    expect(sha256(encodeEntry(entry))).toBe(sha256(encodeEntry(entry)));
  });

  test('tell of every flipped bit and every missing or added byte', () => {
    const bytes = encodeEntry(entry);
    for (let i = 0; i < bytes.length; i++) {
      const flipped = bytes.slice();
      flipped[i] ^= 4;
      const decoded = decodeEntry(flipped);
      // A flip in the header's text may still be JSON: then it must show in what is read.
      if (!('damage' in decoded)) expect(decoded).not.toEqual(entry);
    }
    for (let end = 0; end < bytes.length; end++) expect(decodeEntry(bytes.subarray(0, end))).toHaveProperty('damage');
    expect(decodeEntry(Uint8Array.of(...bytes, 0))).toHaveProperty('damage');
  });

  test('of a foreign file are refused, whatever length it claims', () => {
    const huge = encodeEntry(entry);
    new DataView(huge.buffer).setUint32(8, 0xffffffff, true);
    expect(decodeEntry(huge)).toEqual({ damage: 'its header is cut off' });
    expect(decodeEntry(new TextEncoder().encode('<html>not a cache</html>'))).toHaveProperty('damage');
    expect(decodeEntry(new Uint8Array(0))).toHaveProperty('damage');
  });
});

describe('the cache', () => {
  test('gives what was put, and nothing for another key', async () => {
    const cache = vectorCache({ folder: join(root, 'a'), limitBytes: 1e9 });
    expect(await cache.get(sha256('k'))).toBeNull();
    await cache.put(sha256('k'), entry);
    expect(await cache.get(sha256('k'))).toEqual(entry);
    expect(await cache.get(sha256('other'))).toBeNull();
  });

  test('a damaged file counts as absent, is told by its digest, and is replaced', async () => {
    const folder = join(root, 'b');
    const cache = vectorCache({ folder, limitBytes: 1e9 });
    await cache.put(sha256('k'), entry);
    const path = entryPath(folder, sha256('k'));
    const bytes = await readFile(path);
    bytes[bytes.length - 3] ^= 1;
    await writeFile(path, bytes);
    expect(await cache.get(sha256('k'))).toBeNull();
    const [file] = await entriesOf(folder);
    expect(await damageOf(file)).toBe('its digest is another');
    await cache.put(sha256('k'), entry);
    expect(await damageOf(file)).toBeNull();
  });

  test('files say what they are, and the ones used longest ago go first', async () => {
    const folder = join(root, 'c');
    const cache = vectorCache({ folder, limitBytes: 1e9 });
    for (const [i, key] of ['x', 'y', 'z'].entries()) {
      await cache.put(sha256(key), entry);
      await utimes(entryPath(folder, sha256(key)), 1000 + i, 1000 + i);
    }
    const files = await entriesOf(folder);
    expect(await Promise.all(files.map(describeEntry))).toEqual(
      files.map((file) => ({ ...file, model: 'm', kind: 'dense', damage: null })),
    );
    const removed = await pruneTo(files, files[0].bytes * 2);
    expect(removed.map(({ path }) => path)).toEqual([entryPath(folder, sha256('x'))]);
    expect(await pruneTo(await entriesOf(folder), 0)).toHaveLength(2);
    expect(await entriesOf(folder)).toEqual([]);
  });

  test('using an entry makes it young, and the limit holds while it is written to', async () => {
    const folder = join(root, 'd');
    const size = encodeEntry(entry).length;
    const cache = vectorCache({ folder, limitBytes: size * 2 });
    await cache.put(sha256('old'), entry);
    await utimes(entryPath(folder, sha256('old')), 1000, 1000);
    await cache.put(sha256('new'), entry);
    await utimes(entryPath(folder, sha256('new')), 2000, 2000);
    await cache.get(sha256('old'));
    await cache.put(sha256('third'), entry);
    expect(await cache.get(sha256('new'))).toBeNull();
    expect(await cache.get(sha256('old'))).toEqual(entry);
  });

  test('never takes a sixteenth more than its limit, however much is written', async () => {
    const folder = join(root, 'f');
    const size = encodeEntry(entry).length;
    const limitBytes = size * 20;
    const cache = vectorCache({ folder, limitBytes });
    const held: number[] = [];
    for (let i = 0; i < 60; i++) {
      await cache.put(sha256(String(i)), entry);
      held.push((await entriesOf(folder)).reduce((sum, { bytes }) => sum + bytes, 0));
    }
    expect(Math.max(...held)).toBeLessThanOrEqual((limitBytes * 17) / 16);
    // And it is full: no more is removed than has to be.
    expect(Math.min(...held.slice(20))).toBe(limitBytes);
  });

  test('what a killed process left behind is counted, and swept at the next write beside it', async () => {
    const folder = join(root, 'e');
    await vectorCache({ folder, limitBytes: 1e9 }).put(sha256('k'), entry);
    // No process has this number: Linux ends far below it.
    const name = `.${sha256('k')}.vec.999999999-0011aabb.tmp`;
    await writeFile(join(dirname(entryPath(folder, sha256('k'))), name), 'half');
    expect(await entriesOf(folder)).toHaveLength(2);
    await vectorCache({ folder, limitBytes: 1e9 }).put(sha256('k'), entry);
    expect(await entriesOf(folder)).toHaveLength(1);
  });

  test('a folder that is not there has no entries', async () => {
    expect(await entriesOf(join(root, 'none'))).toEqual([]);
  });
});
