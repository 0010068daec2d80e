import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type HubOutside, type HubSettings, hubSettings, listModel } from '../../runners/hub/index.js';
import { temporaryFolder } from '../small-nano.js';
import { commit, openHub, someBytes } from './loopback-hub.js';
import { fetchAll, namesIn, repoFolder, settingsFor, steered, token } from './steered.js';

const files = new Map(
  ['onnx/model.onnx', 'config.json', 'onnx/model_fp16.onnx'].map((path, i) => [path, someBytes(9, i)]),
);
const names = ['config.json', 'onnx/model.onnx', 'onnx/model_fp16.onnx'];
const list = (settings: HubSettings, revision = 'main', outside: HubOutside = steered()) =>
  listModel({ repo: 'org/name', revision, settings }, outside);
const offline = (home: string) => hubSettings({ HF_HOME: home, HF_HUB_OFFLINE: '1' });

test('all files of a revision, nothing downloaded, and a commit asked for once', async () => {
  const hub = await openHub({ files });
  const settings = settingsFor(hub, { HF_TOKEN: token });
  expect(await list(settings)).toEqual({ commit, files: names });
  expect(namesIn(settings, '.')).toEqual(['trees', `trees/${commit}.json`]);
  hub.asked.length = 0;
  expect(await list(settings, commit)).toEqual({ commit, files: names });
  expect(hub.asked).toEqual([]);
  await list(settings);
  expect(hub.asked.map(({ url }) => url.pathname)).toEqual(['/api/models/org/name/revision/main']);
});

test('offline it is the kept list, else what is there', async () => {
  const home = temporaryFolder();
  const hub = await openHub({ files });
  await fetchAll(settingsFor(hub, { HF_HOME: home }), { files: (path) => path === 'config.json' });
  const fetch = vi.fn();
  expect(await list(offline(home), 'main', steered({ fetch }))).toEqual({ commit, files: names });
  rmSync(join(repoFolder(offline(home)), 'trees'), { recursive: true });
  symlinkSync('nowhere', join(repoFolder(offline(home)), 'snapshots', commit, 'dead'));
  expect(await list(offline(home), 'main', steered({ fetch }))).toEqual({ commit, files: ['config.json'] });
  expect(fetch).not.toHaveBeenCalled();
  await expect(list(offline(home), 'v2')).rejects.toThrow('HF_HUB_OFFLINE is set');
});

test('a silent hub is replaced by the cache; one that says no is not', async () => {
  const home = temporaryFolder();
  const hub = await openHub({ files });
  await fetchAll(settingsFor(hub, { HF_HOME: home }));
  const silent = steered({ fetch: () => Promise.reject(new TypeError('fetch failed')) });
  expect(await list(settingsFor(hub, { HF_HOME: home }), 'main', silent)).toEqual({ commit, files: names });
  await expect(list(settingsFor(hub), 'main', silent)).rejects.toThrow('The hub cannot be reached');
  await expect(list(settingsFor(hub), 'v9')).rejects.toThrow('The repository has no such revision: org/name@v9.');
  await expect(list(settingsFor(hub), '../x')).rejects.toThrow('This is not a revision');
});
