import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { HubSettings } from '../../runners/hub/index.js';
import { commit, type LoopbackHub, openHub, sha256, someBytes } from './loopback-hub.js';
import { fetchAll, namesIn, repoFolder, settingsFor } from './steered.js';

const large = someBytes(400_000);
const hex = sha256(large);
const files = new Map([['model.onnx', large]]);
const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const deadPid = spawnSync(process.execPath, ['--version']).pid;

/** Downloads with this file left in `blobs/`: the ranges that were asked for, and what remains beside the blob. */
async function downloadWith(left: ReadonlyMap<string, Buffer>, touch?: (path: string) => void) {
  const hub = await openHub({ files });
  const settings = settingsFor(hub);
  const blobs = join(repoFolder(settings), 'blobs');
  mkdirSync(blobs, { recursive: true });
  for (const [name, bytes] of left) {
    writeFileSync(join(blobs, name), bytes);
    touch?.(join(blobs, name));
  }
  await expectRight(settings);
  return { ...rest(hub, settings), settings };
}

async function expectRight(settings: HubSettings): Promise<void> {
  const { folder } = await fetchAll(settings);
  expect(readFileSync(join(folder, 'model.onnx')).equals(large)).toBe(true);
}

const rest = (hub: LoopbackHub, settings: HubSettings) => ({
  ranges: hub.storageAsked.map(({ range }) => range),
  beside: namesIn(settings, 'blobs').filter((name) => name !== hex),
});

const some = large.subarray(0, 1000);

describe('what a download left is taken up', () => {
  it.each([
    ['a killed process of this machine', `${hex}.${host}-${deadPid}-0a1b2c3d.incomplete`],
    ['a download that failed', `${hex}.kept-0a1b2c3d.incomplete`],
  ])('of %s', async (_, name) => {
    expect(await downloadWith(new Map([[name, some]]))).toMatchObject({ ranges: ['bytes=1000-'], beside: [] });
  });

  it('of an older Python by a copy: it may still be written to', async () => {
    const { ranges, beside, settings } = await downloadWith(new Map([[`${hex}.incomplete`, some]]));
    expect(ranges).toEqual(['bytes=1000-']);
    expect(beside).toEqual([`${hex}.incomplete`]);
    expect(readFileSync(join(repoFolder(settings), 'blobs', `${hex}.incomplete`)).equals(some)).toBe(true);
  });

  it('the longest of several, and the others go', async () => {
    const left = new Map([
      [`${hex}.kept-00000000.incomplete`, some],
      [`${hex}.kept-00000001.incomplete`, large.subarray(0, 5000)],
      [`${hex}.${host}-${deadPid}-00000002.incomplete`, Buffer.alloc(0)],
    ]);
    expect(await downloadWith(left)).toMatchObject({ ranges: ['bytes=5000-'], beside: [] });
  });

  it('one that is whole needs no request, one that is too long or wrong is thrown away', async () => {
    const name = `${hex}.kept-00000000.incomplete`;
    expect((await downloadWith(new Map([[name, large]]))).ranges).toEqual([]);
    expect((await downloadWith(new Map([[name, Buffer.concat([large, some])]]))).ranges).toEqual([null]);
    expect((await downloadWith(new Map([[name, someBytes(1000, 2)]]))).ranges).toEqual(['bytes=1000-', null]);
    expect((await downloadWith(new Map([[name, someBytes(400_000, 2)]]))).ranges).toEqual([null]);
  });

  it('one of this number, but from before this process, is taken up: containers give numbers again', async () => {
    const name = `${hex}.${host}-${process.pid}-00000000.incomplete`;
    const long = new Date('2020-01-01');
    const { ranges, beside } = await downloadWith(new Map([[name, some]]), (path) => utimesSync(path, long, long));
    expect(ranges).toEqual(['bytes=1000-']);
    expect(beside).toEqual([]);
  });
});

describe('what others are writing is left alone', () => {
  it.each([
    ['a living process', `${hex}.${host}-${process.ppid}-0a1b2c3d.incomplete`],
    ['this process', `${hex}.${host}-${process.pid}-0a1b2c3d.incomplete`],
    ['another machine', `${hex}.00000000-${deadPid}-0a1b2c3d.incomplete`],
    ['a newer Python', `${hex}.0a1b2c3d.incomplete`],
    ['another blob', `${'0'.repeat(64)}.kept-0a1b2c3d.incomplete`],
  ])('of %s', async (_, name) => {
    const { ranges, beside, settings } = await downloadWith(new Map([[name, some]]));
    expect(ranges).toEqual([null]);
    expect(beside).toEqual([name]);
    expect(readFileSync(join(repoFolder(settings), 'blobs', name)).equals(some)).toBe(true);
  });

  it('a link in the place of a leftover is not written through', async () => {
    const hub = await openHub({ files });
    const settings = settingsFor(hub);
    const blobs = join(repoFolder(settings), 'blobs');
    mkdirSync(blobs, { recursive: true });
    writeFileSync(join(blobs, 'treasure'), some);
    symlinkSync('treasure', join(blobs, `${hex}.kept-0a1b2c3d.incomplete`));
    symlinkSync('treasure', join(blobs, `${hex}.incomplete`));
    await expectRight(settings);
    expect(readFileSync(join(blobs, 'treasure')).equals(some)).toBe(true);
  });
});

test('two downloads of one file at once do not disturb each other', async () => {
  const hub = await openHub({ files });
  const settings = settingsFor(hub);
  // Both have asked before either gets a byte.
  const held: (() => void)[] = [];
  hub.rules.push({
    path: new RegExp(hex),
    answer: ({ send, usual }) => {
      held.push(() => send(usual));
      if (held.length === 2) for (const release of held) release();
    },
  });
  await Promise.all([expectRight(settings), expectRight(settings)]);
  expect(rest(hub, settings)).toEqual({ ranges: [null, null], beside: [] });
  expect(namesIn(settings, `snapshots/${commit}`)).toEqual(['model.onnx']);
});

test('of two downloads at once one takes up a leftover, the other begins anew', async () => {
  const hub = await openHub({ files });
  const settings = settingsFor(hub);
  const blobs = join(repoFolder(settings), 'blobs');
  mkdirSync(blobs, { recursive: true });
  writeFileSync(join(blobs, `${hex}.kept-0a1b2c3d.incomplete`), some);
  const held: (() => void)[] = [];
  hub.rules.push({
    path: new RegExp(hex),
    answer: ({ send, usual }) => {
      held.push(() => send(usual));
      if (held.length === 2) for (const release of held) release();
    },
  });
  await Promise.all([expectRight(settings), expectRight(settings)]);
  expect(rest(hub, settings).ranges.sort()).toEqual(['bytes=1000-', null]);
  expect(rest(hub, settings).beside).toEqual([]);
});
