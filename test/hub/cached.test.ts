import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test, vi } from 'vitest';
import { findCached, type HubSettings, hubSettings, type ModelWish } from '../../runners/hub/index.js';
import { temporaryFolder } from '../small-nano.js';
import { commit, gitOid, listed, openHub, otherCommit, sha256, someBytes } from './loopback-hub.js';
import { fetchAll, namesIn, repoFolder, settingsFor, steered } from './steered.js';

const files = new Map([
  ['config.json', Buffer.from('{}')],
  ['onnx/model.onnx', someBytes(3000)],
]);
const noNetwork = () => steered({ fetch: vi.fn(() => Promise.reject(new Error('no network in this test'))) });
const offline = (home: string) => hubSettings({ HF_HOME: home, HF_HUB_OFFLINE: '1' });
const wish = (settings: HubSettings, changes: Partial<ModelWish> = {}): ModelWish => ({
  repo: 'org/name',
  revision: 'main',
  files: () => true,
  settings,
  ...changes,
});

/** What huggingface_hub leaves: the newer versions with a list of the commit's files, the older ones without. */
function writeAsPython(settings: HubSettings, list: 'with a list' | 'without a list'): void {
  const root = repoFolder(settings);
  const put = (path: string, data: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), data);
  };
  const link = (target: string, path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  };
  const [config, onnx] = [...files.values()] as [Buffer, Buffer];
  put(`blobs/${gitOid(config)}`, config);
  put(`blobs/${sha256(onnx)}`, onnx);
  put('refs/main', commit);
  link(`../../blobs/${gitOid(config)}`, `snapshots/${commit}/config.json`);
  link(`../../../blobs/${sha256(onnx)}`, `snapshots/${commit}/onnx/model.onnx`);
  put(`.no_exist/${commit}/added_tokens.json`, '');
  if (list === 'without a list') return;
  const info = {
    size: 3000,
    blob_id: gitOid(onnx),
    lfs_sha256: sha256(onnx),
    lfs_size: 3000,
    xet_hash: 'd'.repeat(64),
  };
  const entries = { 'config.json': { size: 2, blob_id: gitOid(config) }, 'onnx/model.onnx': info };
  put(`trees/${commit}.json`, JSON.stringify({ format_version: 1, files: entries }, null, 1));
}

describe('offline', () => {
  it('a cached branch is found by its reference, and files are as they were', async () => {
    const home = temporaryFolder();
    const model = await fetchAll(settingsFor(await openHub({ files }), { HF_HOME: home }));
    const outside = noNetwork();
    expect(await fetchAll(offline(home), {}, outside)).toEqual(model);
    expect(await findCached(wish(offline(home)))).toEqual(model);
    expect(await findCached(wish(offline(home), { revision: commit }))).toEqual(model);
    expect(outside.fetch).not.toHaveBeenCalled();
  });

  it('what the cache lacks is named', async () => {
    const home = temporaryFolder();
    const settings = settingsFor(await openHub({ files }), { HF_HOME: home });
    await fetchAll(settings, { files: (path) => path === 'config.json' });
    await expect(fetchAll(offline(home), {}, noNetwork())).rejects.toThrow(
      'the cache does not have all that is needed: org/name@main (without onnx/model.onnx). Run the command once without',
    );
    await expect(fetchAll(offline(home), { required: ['no.txt'] }, noNetwork())).rejects.toThrow('without no.txt');
    await expect(fetchAll(offline(home), { revision: 'v2' }, noNetwork())).rejects.toThrow('org/name@v2. Run');
    await expect(fetchAll(offline(home), { repo: 'org/other' }, noNetwork())).rejects.toThrow('org/other@main. Run');
    const some = await fetchAll(offline(home), { files: (path) => path === 'config.json' }, noNetwork());
    expect(some.files).toEqual(['config.json']);
  });

  it('a hub that cannot be reached is replaced by the cache, with a note', async () => {
    const home = temporaryFolder();
    const model = await fetchAll(settingsFor(await openHub({ files }), { HF_HOME: home }));
    const notes: string[] = [];
    const settings = settingsFor({ endpoint: 'http://127.0.0.1:1' }, { HF_HOME: home });
    const onNote = (text: string) => notes.push(text);
    expect(await fetchAll(settings, { onNote }, noNetwork())).toEqual(model);
    expect(notes).toEqual([`The hub gives no answer: org/name@main is taken from the cache, at ${commit}.`]);
  });

  it('a hub that says no is not', async () => {
    const home = temporaryFolder();
    const hub = await openHub({ files });
    await fetchAll(settingsFor(hub, { HF_HOME: home }));
    hub.rules.push({
      path: /revision/,
      answer: ({ send }) => send({ status: 403, headers: { 'x-error-code': 'GatedRepo' } }),
    });
    await expect(fetchAll(settingsFor(hub, { HF_HOME: home }))).rejects.toThrow('gated');
  });

  it('a branch that moved is fetched, and the old commit stays', async () => {
    const branches = new Map([['main', commit]]);
    const hub = await openHub({ files, branches });
    const settings = settingsFor(hub);
    await fetchAll(settings);
    branches.set('main', otherCommit);
    expect((await fetchAll(settings)).commit).toBe(otherCommit);
    expect(readFileSync(join(repoFolder(settings), 'refs/main'), 'utf8')).toBe(otherCommit);
    expect(await findCached(wish(settings, { revision: commit }))).not.toBeNull();
  });
});

describe.each(['with a list', 'without a list'] as const)('a cache that Python wrote, %s', (list) => {
  it('serves offline, by branch and by commit', async () => {
    const home = temporaryFolder();
    writeAsPython(offline(home), list);
    for (const revision of ['main', commit]) {
      const model = await fetchAll(offline(home), { revision, required: ['config.json'] }, noNetwork());
      expect(model).toEqual({
        folder: join(repoFolder(offline(home)), 'snapshots', commit),
        commit,
        files: ['config.json', 'onnx/model.onnx'],
      });
    }
  });

  it('is not enough where a required file is missing', async () => {
    const settings = offline(temporaryFolder());
    writeAsPython(settings, list);
    expect(await findCached(wish(settings, { required: ['tokenizer.json'] }))).toBeNull();
    rmSync(join(repoFolder(settings), 'blobs', sha256(someBytes(3000))));
    expect(await findCached(wish(settings, { required: ['onnx/model.onnx'] }))).toBeNull();
    expect(await findCached(wish(settings, { files: (path) => path.endsWith('.onnx') }))).toBeNull();
  });

  it('is used online: no file is fetched again', async () => {
    const hub = await openHub({ files });
    const settings = settingsFor(hub);
    writeAsPython(settings, list);
    await fetchAll(settings, { revision: commit });
    const listing = { 'with a list': [], 'without a list': [`/api/models/org/name/tree/${commit}`] }[list];
    expect(hub.asked.map(({ url }) => url.pathname)).toEqual(listing);
    expect(namesIn(settings, 'trees')).toEqual([`${commit}.json`]);
    hub.asked.length = 0;
    await fetchAll(settings, { revision: commit });
    expect(hub.asked).toEqual([]);
  });
});

describe('what is wrong in the cache', () => {
  test.each([
    ['is no JSON', '{'],
    ['is of another format', JSON.stringify({ format_version: 2, files: {} })],
    ['is a list', '[]'],
    ['leads out', JSON.stringify({ format_version: 1, files: { '../x': { size: 1, blob_id: 'a'.repeat(40) } } })],
    ['lacks a size', JSON.stringify({ format_version: 1, files: { x: { blob_id: 'a'.repeat(40) } } })],
  ])('a list that %s counts as none', async (_, text) => {
    const hub = await openHub({ files });
    const settings = settingsFor(hub);
    writeAsPython(settings, 'with a list');
    const path = join(repoFolder(settings), 'trees', `${commit}.json`);
    writeFileSync(path, text);
    expect(await findCached(wish(settings, { required: ['config.json'] }))).not.toBeNull();
    await fetchAll(settings, { revision: commit });
    expect(hub.asked).toHaveLength(1);
    expect(JSON.parse(readFileSync(path, 'utf8')).files['config.json'].size).toBe(2);
  });

  test.each(['', 'main', '../../x', 'a'.repeat(39)])('a reference to %j counts as none', async (text) => {
    const settings = offline(temporaryFolder());
    writeAsPython(settings, 'with a list');
    writeFileSync(join(repoFolder(settings), 'refs/main'), text);
    expect(await findCached(wish(settings))).toBeNull();
  });

  test('a reference with a line end is read', async () => {
    const settings = offline(temporaryFolder());
    writeAsPython(settings, 'with a list');
    writeFileSync(join(repoFolder(settings), 'refs/main'), `${commit}\n`);
    expect(await findCached(wish(settings))).not.toBeNull();
    expect(await findCached(wish(settings, { revision: 'main/x' }))).toBeNull();
    mkdirSync(join(repoFolder(settings), 'refs/folder'));
    expect(await findCached(wish(settings, { revision: 'folder' }))).toBeNull();
  });

  test('a link to another blob of the same size is put right', async () => {
    const hub = await openHub({ files });
    const settings = settingsFor(hub);
    const { folder } = await fetchAll(settings);
    const other = Buffer.from('[]');
    writeFileSync(join(repoFolder(settings), 'blobs', gitOid(other)), other);
    rmSync(join(folder, 'config.json'));
    symlinkSync(`../../blobs/${gitOid(other)}`, join(folder, 'config.json'));
    expect(await findCached(wish(settings))).toBeNull();
    await fetchAll(settings);
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe('{}');
  });

  test('a snapshot that was copied without its links is as good', async () => {
    const settings = settingsFor(await openHub({ files }));
    const { folder } = await fetchAll(settings);
    const copy = temporaryFolder();
    cpSync(folder, copy, { recursive: true, dereference: true });
    rmSync(folder, { recursive: true });
    cpSync(copy, folder, { recursive: true });
    rmSync(join(repoFolder(settings), 'blobs'), { recursive: true });
    expect((await findCached(wish(settings)))?.files).toEqual(['config.json', 'onnx/model.onnx']);
  });
});

test('who wants nothing finds nothing', async () => {
  const settings = settingsFor(await openHub({ files }));
  await fetchAll(settings);
  expect(await findCached(wish(settings, { files: () => false }))).toBeNull();
  expect((await findCached(wish(settings, { files: () => false, required: ['config.json'] })))?.files).toHaveLength(1);
});

test('the list keeps the xet hashes that Python downloads by, and no others', async () => {
  const hub = await openHub({ files });
  const xet = new Map([
    ['config.json', 'no hash'],
    ['onnx/model.onnx', 'd'.repeat(64)],
  ]);
  const page = [...files].map(([path, bytes]) => ({ ...listed({}, path, bytes), xetHash: xet.get(path) }));
  hub.rules.push({ path: /tree/, answer: ({ send }) => send({ status: 200, body: JSON.stringify(page) }) });
  const settings = settingsFor(hub);
  await fetchAll(settings);
  const record = JSON.parse(readFileSync(join(repoFolder(settings), 'trees', `${commit}.json`), 'utf8'));
  expect(record.files['onnx/model.onnx'].xet_hash).toBe('d'.repeat(64));
  expect(record.files['config.json']).not.toHaveProperty('xet_hash');
});

test('names that are special to JavaScript survive the list on disk', async () => {
  const special = new Map(['__proto__', 'constructor'].map((name) => [name, Buffer.from(name)]));
  const settings = settingsFor(await openHub({ files: special }));
  await fetchAll(settings);
  expect((await findCached(wish(settings)))?.files).toEqual(['__proto__', 'constructor']);
});
