import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hubSettings } from '../../runners/hub/index.js';
import { temporaryFolder } from '../small-nano.js';
import { token } from './steered.js';

// Expected values: constants.py of Python's huggingface_hub 2.4.0 under the same variables.
describe('the cache is where Python puts it', () => {
  it.each([
    [{}, '/home/ann/.cache/huggingface/hub'],
    [{ XDG_CACHE_HOME: '/x' }, '/x/huggingface/hub'],
    [{ XDG_CACHE_HOME: '~/x' }, '/home/ann/x/huggingface/hub'],
    [{ HF_HOME: '/h', XDG_CACHE_HOME: '/x' }, '/h/hub'],
    [{ HF_HOME: '~/h' }, '/home/ann/h/hub'],
    [{ HF_HOME: '$BASE/h', BASE: '/b' }, '/b/h/hub'],
    [{ HF_HOME: `\${BASE}h`, BASE: '/b' }, '/bh/hub'],
    [{ HF_HOME: '/$UNKNOWN/h' }, '/$UNKNOWN/h/hub'],
    [{ HF_HOME: '' }, resolve('hub')],
    [{ HUGGINGFACE_HUB_CACHE: '/old', HF_HOME: '/h' }, '/old'],
    [{ HUGGINGFACE_HUB_CACHE: '~/old' }, '/home/ann/old'],
    [{ HF_HUB_CACHE: '/new', HUGGINGFACE_HUB_CACHE: '/old' }, '/new'],
    [{ HF_HUB_CACHE: '~' }, '/home/ann'],
    [{ HF_HUB_CACHE: 'relative' }, resolve('relative')],
  ])('%j', (environment, folder) => {
    expect(hubSettings({ HOME: '/home/ann', ...environment }).cacheFolder).toBe(folder);
  });

  it('is below the home of this account without HOME', () => {
    expect(hubSettings({}).cacheFolder).toBe(join(homedir(), '.cache/huggingface/hub'));
  });
});

describe('offline', () => {
  it.each(['1', 'ON', 'on', 'Yes', 'TRUE', 'true'])('is on for %j', (value) => {
    expect(hubSettings({ HF_HUB_OFFLINE: value }).offline).toBe(true);
  });
  it.each(['0', '', 'off', 'no', 'false', '2', ' 1', 'y'])('is off for %j', (value) => {
    expect(hubSettings({ HF_HUB_OFFLINE: value }).offline).toBe(false);
  });
  it('follows TRANSFORMERS_OFFLINE where HF_HUB_OFFLINE says nothing', () => {
    expect(hubSettings({ TRANSFORMERS_OFFLINE: '1' }).offline).toBe(true);
    expect(hubSettings({ TRANSFORMERS_OFFLINE: '1', HF_HUB_OFFLINE: '' }).offline).toBe(true);
    expect(hubSettings({ TRANSFORMERS_OFFLINE: '1', HF_HUB_OFFLINE: '0' }).offline).toBe(false);
  });
});

describe('the endpoint', () => {
  it('is the public hub, or HF_ENDPOINT without the slashes at its end', () => {
    expect(hubSettings({}).endpoint).toBe('https://huggingface.co');
    expect(hubSettings({ HF_ENDPOINT: '' }).endpoint).toBe('https://huggingface.co');
    expect(hubSettings({ HF_ENDPOINT: 'http://mirror:8080/hub//' }).endpoint).toBe('http://mirror:8080/hub');
  });

  it.each(['mirror', 'ftp://mirror', 'http://', 'http://a/?b=c', 'http://a/#b'])('%j is refused', (endpoint) => {
    expect(() => hubSettings({ HF_ENDPOINT: endpoint })).toThrow('HF_ENDPOINT is not the address of a hub');
  });

  it('with a name and a password is refused without printing them', () => {
    const attempt = () => hubSettings({ HF_ENDPOINT: 'https://ann:geheim@mirror' });
    expect(attempt).toThrow('HF_ENDPOINT holds a name or a password');
    expect(attempt).not.toThrow(/geheim|ann/);
  });
});

describe('the token', () => {
  it('is HF_TOKEN, cleaned, before the older name and before the file', () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'token'), 'hf_file\n');
    expect(hubSettings({ HF_HOME: home, HF_TOKEN: ` ${token}\r\n` }).token()).toBe(token);
    expect(hubSettings({ HF_HOME: home, HUGGING_FACE_HUB_TOKEN: 'hf_old' }).token()).toBe('hf_old');
    expect(hubSettings({ HF_HOME: home, HF_TOKEN: '', HUGGING_FACE_HUB_TOKEN: '' }).token()).toBe('hf_file');
  });

  it('is in the file that a login wrote: below HF_HOME, or at HF_TOKEN_PATH', () => {
    const home = temporaryFolder();
    expect(hubSettings({ HF_HOME: home }).token()).toBeNull();
    writeFileSync(join(home, 'token'), '\n');
    expect(hubSettings({ HF_HOME: home }).token()).toBeNull();
    writeFileSync(join(home, 'other'), token);
    expect(hubSettings({ HF_HOME: home, HF_TOKEN_PATH: '$HF_HOME/other' }).token()).toBe(token);
    expect(hubSettings({ HOME: home, HF_TOKEN_PATH: '~/other' }).token()).toBe(token);
  });

  it('is not sent where HF_HUB_DISABLE_IMPLICIT_TOKEN says so', () => {
    expect(hubSettings({ HF_TOKEN: token, HF_HUB_DISABLE_IMPLICIT_TOKEN: '1' }).token()).toBeNull();
  });

  it('that no header can carry is refused without printing it', () => {
    for (const bad of ['hf_two words', 'hf_ünder', 'hf_\u0001x']) {
      const { token: read } = hubSettings({ HF_TOKEN: bad });
      expect(read).toThrow('The token for the hub has spaces or characters that a token cannot have: HF_TOKEN');
      expect(read).not.toThrow(bad.slice(3));
    }
  });

  it('file that is a folder is an error that names it', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'token'));
    expect(hubSettings({ HF_HOME: home }).token).toThrow(join(home, 'token'));
  });

  it('is not seen in printed or stored settings', () => {
    const settings = hubSettings({ HF_TOKEN: token });
    settings.token();
    expect(inspect(settings, { depth: 9, showHidden: true })).not.toContain(token);
    expect(JSON.stringify(settings)).not.toContain(token);
  });
});

describe('time limits and links', () => {
  it('are 10 s unless the variables of Python say otherwise', () => {
    expect(hubSettings({})).toMatchObject({ answerMs: 10_000, idleMs: 10_000, links: 'symlink' });
    const said = { HF_HUB_ETAG_TIMEOUT: '3', HF_HUB_DOWNLOAD_TIMEOUT: ' 60 ', HF_HUB_DISABLE_SYMLINKS: '1' };
    expect(hubSettings(said)).toMatchObject({ answerMs: 3000, idleMs: 60_000, links: 'copy' });
    expect(hubSettings({ HF_HUB_ETAG_TIMEOUT: '0', HF_HUB_DOWNLOAD_TIMEOUT: '' })).toMatchObject({
      answerMs: 10_000,
      idleMs: 10_000,
    });
  });

  it.each(['soon', '-1', '1.5', '1e3'])('%j seconds are refused', (value) => {
    expect(() => hubSettings({ HF_HUB_DOWNLOAD_TIMEOUT: value })).toThrow('HF_HUB_DOWNLOAD_TIMEOUT is not a number');
  });
});
