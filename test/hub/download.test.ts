import { EventEmitter, once } from 'node:events';
import { lstatSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DownloadStep, findCached } from '../../runners/hub/index.js';
import { commit, gitOid, openHub, otherCommit, sha256, someBytes } from './loopback-hub.js';
import { fetchAll, namesIn, repoFolder, settingsFor, steered, token } from './steered.js';

const small = Buffer.from('{"model_type": "bert"}\n');
const large = someBytes(300_000);
const weird = 'dir with space/ü#1.txt';
const files = new Map([
  ['config.json', small],
  ['onnx/model.onnx', large],
  [weird, Buffer.from('weird')],
  ['empty', Buffer.alloc(0)],
]);

describe('the cache has the layout of Python', () => {
  test('blobs by digest, relative links, a reference, and nothing else that is seen', async () => {
    const settings = settingsFor(await openHub({ files, pageSize: 3 }));
    const model = await fetchAll(settings);
    const snapshot = join(repoFolder(settings), 'snapshots', commit);
    expect(model).toEqual({ folder: snapshot, commit, files: ['config.json', weird, 'empty', 'onnx/model.onnx'] });
    for (const [path, bytes] of files) expect(readFileSync(join(snapshot, path)).equals(bytes)).toBe(true);
    expect(readlinkSync(join(snapshot, 'config.json'))).toBe(`../../blobs/${gitOid(small)}`);
    expect(readlinkSync(join(snapshot, 'onnx/model.onnx'))).toBe(`../../../blobs/${sha256(large)}`);
    expect(namesIn(settings, 'blobs')).toEqual([...files.values()].map(nameOf).sort());
    expect(namesIn(settings, 'refs')).toEqual(['main']);
    expect(readFileSync(join(repoFolder(settings), 'refs/main'), 'utf8')).toBe(commit);
    expect(namesIn(settings, '.').filter((name) => !name.includes('/'))).toEqual([
      'blobs',
      'refs',
      'snapshots',
      'trees',
    ]);
  });

  test('the list of files is kept as Python keeps it', async () => {
    const settings = settingsFor(await openHub({ files }));
    await fetchAll(settings);
    const record = JSON.parse(readFileSync(join(repoFolder(settings), 'trees', `${commit}.json`), 'utf8'));
    expect(record).toEqual({
      format_version: 1,
      files: {
        'config.json': { size: small.length, blob_id: gitOid(small) },
        'onnx/model.onnx': { size: 300_000, blob_id: gitOid(large), lfs_sha256: sha256(large), lfs_size: 300_000 },
        [weird]: { size: 5, blob_id: gitOid(Buffer.from('weird')) },
        empty: { size: 0, blob_id: gitOid(Buffer.alloc(0)) },
      },
    });
  });

  test('a reference with slashes lies deeper; a commit has none', async () => {
    const hub = await openHub({ files, branches: new Map([['refs/pr/1', otherCommit]]) });
    const settings = settingsFor(hub);
    expect((await fetchAll(settings, { revision: 'refs/pr/1' })).commit).toBe(otherCommit);
    expect(readFileSync(join(repoFolder(settings), 'refs/refs/pr/1'), 'utf8')).toBe(otherCommit);
    await fetchAll(settings, { revision: commit });
    expect(namesIn(settings, 'refs')).toEqual(['refs', 'refs/pr', 'refs/pr/1']);
  });

  test('data sets and models without an organisation have their own folders', async () => {
    const hub = await openHub({ files, kind: 'datasets', repo: 'org/data' });
    const settings = settingsFor(hub);
    const { folder } = await fetchAll(settings, { repo: 'org/data', kind: 'dataset' });
    expect(folder).toBe(join(settings.cacheFolder, 'datasets--org--data/snapshots', commit));
    const old = settingsFor(await openHub({ files, repo: 'gpt2' }));
    const model = await fetchAll(old, { repo: 'gpt2' });
    expect(model.folder).toBe(join(old.cacheFolder, 'models--gpt2/snapshots', commit));
  });

  test.each(['HF_HUB_DISABLE_SYMLINKS', 'a file system without links'])('copies under %s', async (reason) => {
    const isAsked = reason === 'HF_HUB_DISABLE_SYMLINKS';
    const settings = settingsFor(await openHub({ files }), isAsked ? { HF_HUB_DISABLE_SYMLINKS: '1' } : {});
    const refuse = async () => Promise.reject(Object.assign(new Error('no'), { code: 'EPERM' }));
    const { folder } = await fetchAll(settings, {}, steered(isAsked ? {} : { symlink: refuse }));
    for (const [path, bytes] of files) {
      expect(lstatSync(join(folder, path)).isFile()).toBe(true);
      expect(readFileSync(join(folder, path)).equals(bytes)).toBe(true);
    }
    expect(namesIn(settings, 'blobs').filter((name) => name.startsWith('.'))).toEqual([]);
    expect(await findCached({ repo: 'org/name', revision: 'main', files: () => true, settings })).not.toBeNull();
  });
});

const nameOf = (bytes: Buffer) => (bytes.length < 1000 ? gitOid(bytes) : sha256(bytes));

describe('only what is needed is asked for', () => {
  test('the filter chooses; required files come although it does not', async () => {
    const hub = await openHub({ files });
    const settings = settingsFor(hub);
    const model = await fetchAll(settings, { files: (path) => path.endsWith('.onnx'), required: ['config.json'] });
    expect(model.files).toEqual(['config.json', 'onnx/model.onnx']);
    expect(namesIn(settings, `snapshots/${commit}`)).toEqual(['config.json', 'onnx', 'onnx/model.onnx']);
    expect(hub.asked.filter(({ url }) => url.pathname.includes('/resolve/'))).toHaveLength(2);
  });

  test('an empty file needs no request of its own', async () => {
    const hub = await openHub({ files });
    await fetchAll(settingsFor(hub), { files: (path) => path === 'empty' });
    expect(hub.asked.map(({ url }) => url.pathname)).toEqual([
      '/api/models/org/name/revision/main',
      `/api/models/org/name/tree/${commit}`,
    ]);
  });

  test('a cached commit asks nothing of the network; a cached branch asks where it stands', async () => {
    const hub = await openHub({ files });
    const settings = settingsFor(hub);
    const first = await fetchAll(settings, { revision: commit });
    hub.asked.length = 0;
    const silent = steered({ fetch: () => Promise.reject(new Error('no network in this test')) });
    expect(await fetchAll(settings, { revision: commit }, silent)).toEqual(first);
    await fetchAll(settings);
    expect(hub.asked.map(({ url }) => url.pathname)).toEqual(['/api/models/org/name/revision/main']);
    expect(readFileSync(join(repoFolder(settings), 'refs/main'), 'utf8')).toBe(commit);
  });

  test('more files of a known commit need no second list', async () => {
    const hub = await openHub({ files });
    const settings = settingsFor(hub);
    await fetchAll(settings, { revision: commit, files: (path) => path === 'config.json' });
    hub.asked.length = 0;
    await fetchAll(settings, { revision: commit });
    expect(hub.asked.every(({ url }) => url.pathname.includes('/resolve/'))).toBe(true);
  });

  test('files of the same bytes are fetched once and seen twice; a blob that is there is not fetched', async () => {
    const twins = new Map([...files, ['copy/model.onnx', large]]);
    const hub = await openHub({ files: twins, branches: new Map([['next', otherCommit]]) });
    const settings = settingsFor(hub);
    const { folder } = await fetchAll(settings);
    expect(readFileSync(join(folder, 'copy/model.onnx')).equals(large)).toBe(true);
    expect(hub.storageAsked).toHaveLength(1);
    hub.asked.length = 0;
    const next = await fetchAll(settings, { revision: 'next' });
    expect(readFileSync(join(next.folder, 'onnx/model.onnx')).equals(large)).toBe(true);
    expect(hub.asked.filter(({ url }) => url.pathname.includes('/resolve/'))).toEqual([]);
  });

  test('a blob that was damaged on disk is noticed before it is linked, and a short file before it is used', async () => {
    const hub = await openHub({ files, branches: new Map([['next', otherCommit]]) });
    const settings = settingsFor(hub);
    const { folder } = await fetchAll(settings);
    const blob = join(repoFolder(settings), 'blobs', sha256(large));
    writeFileSync(blob, someBytes(300_000, 2));
    const next = await fetchAll(settings, { revision: 'next' });
    expect(readFileSync(join(next.folder, 'onnx/model.onnx')).equals(large)).toBe(true);
    rmSync(blob);
    writeFileSync(blob, large.subarray(1));
    expect(await findCached({ repo: 'org/name', revision: commit, files: () => true, settings })).toBeNull();
    await fetchAll(settings, { revision: commit });
    expect(readFileSync(join(folder, 'onnx/model.onnx')).equals(large)).toBe(true);
  });
});

describe('several at once', () => {
  test.each([1, 3])('%i at most', async (parallel) => {
    const many = new Map(Array.from({ length: 12 }, (_, i) => [`f${i}`, Buffer.from(`file ${i}`)] as const));
    const hub = await openHub({ files: many });
    let [open, most] = [0, 0];
    const bell = new EventEmitter();
    const full = once(bell, 'full');
    const outside = steered({
      fetch: async (url, sent) => {
        if (!url.includes('/resolve/')) return fetch(url, sent);
        most = Math.max(most, ++open);
        if (open === parallel) bell.emit('full');
        await full;
        return fetch(url, sent).finally(() => open--);
      },
    });
    expect((await fetchAll(settingsFor(hub), { parallel }, outside)).files).toHaveLength(12);
    expect(most).toBe(parallel);
  });

  test.each([0, -1, 1.5, Number.NaN])('%d is refused', async (parallel) => {
    const hub = await openHub({ files });
    await expect(fetchAll(settingsFor(hub), { parallel })).rejects.toThrow('This many downloads at once cannot be');
  });

  test('the first failure ends the others, and the reference is not written', async () => {
    const never = { path: /config\.json$/, answer: () => undefined };
    const gone = {
      path: /onnx$/,
      answer: ({ send }: { send: (reply: { status: number }) => void }) => send({ status: 404 }),
    };
    const hub = await openHub({ files, rules: [never, gone] });
    const settings = settingsFor(hub);
    await expect(fetchAll(settings)).rejects.toThrow(
      'The repository has no such file: onnx/model.onnx in org/name@main',
    );
    expect(namesIn(settings, 'refs')).toEqual([]);
  });
});

test('progress begins at nothing and ends at everything, for each file', async () => {
  const steps: DownloadStep[] = [];
  await fetchAll(settingsFor(await openHub({ files })), { onProgress: (step) => steps.push(step) });
  for (const [path, { length }] of files) {
    const own = steps.filter(({ file }) => file === path);
    expect(own[0]).toEqual({ file: path, doneBytes: 0, totalBytes: length });
    expect(own.at(-1)).toEqual({ file: path, doneBytes: length, totalBytes: length });
    expect(own.map(({ doneBytes }) => doneBytes)).toEqual(own.map(({ doneBytes }) => doneBytes).sort((a, b) => a - b));
  }
});

test('the caller can stop it before an answer has begun', async () => {
  const caller = new AbortController();
  const hub = await openHub({ files });
  hub.rules.push({ path: /./, answer: () => caller.abort(new Error('the user pressed a key')) });
  const outside = steered();
  const stopped = fetchAll(settingsFor(hub), { signal: caller.signal }, outside);
  await expect(stopped).rejects.toThrow('the user pressed a key');
  expect(outside.waitsMs).toEqual([]);
});

test('the caller can stop it; what came is kept and used', async () => {
  const caller = new AbortController();
  const hub = await openHub({ files });
  hub.rules.push({
    path: new RegExp(sha256(large)),
    times: 1,
    answer: ({ response }) => {
      response.writeHead(200, { 'content-length': '300000' });
      response.write(large.subarray(0, 100_000));
    },
  });
  const settings = settingsFor(hub, { HF_TOKEN: token });
  const onProgress = ({ doneBytes }: DownloadStep) => {
    if (doneBytes === 100_000) caller.abort(new Error('the user pressed a key'));
  };
  const stopped = fetchAll(settings, { files: (path) => path.endsWith('.onnx'), signal: caller.signal, onProgress });
  await expect(stopped).rejects.toThrow('the user pressed a key');
  expect(namesIn(settings, 'snapshots')).toEqual([]);
  expect(namesIn(settings, 'blobs')).toEqual([expect.stringMatching(/\.kept-[0-9a-f]{8}\.incomplete$/)]);
  const { folder } = await fetchAll(settings);
  expect(readFileSync(join(folder, 'onnx/model.onnx')).equals(large)).toBe(true);
  expect(hub.storageAsked.map(({ range }) => range)).toEqual([null, 'bytes=100000-']);
  expect(namesIn(settings, 'blobs').filter((name) => name.endsWith('.incomplete'))).toEqual([]);
});
