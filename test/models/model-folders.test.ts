import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modelFolders, passedOver, resolveModels } from '../../runners/backends/resolve/index.js';
import { staticWords } from '../../runners/models/static-words.js';
import type { ModelAccess } from '../../runners/system.js';
import { modelRows } from '../../scripts/model-rows.js';
import { narrowModels, wrapped } from '../../scripts/narrow-models.js';
import { temporaryFolder } from '../small-nano.js';

/** A folder of model folders: each name with the files in it. */
function folderOf(folders: Readonly<Record<string, readonly string[]>>): string {
  const root = temporaryFolder();
  for (const [name, files] of Object.entries(folders)) {
    mkdirSync(join(root, name));
    for (const file of files) writeFileSync(join(root, name, file), '{}');
  }
  return root;
}

function accessTo(root: string): ModelAccess & { readonly notes: string[] } {
  const notes: string[] = [];
  const environment = { TENBIN_MODELS: root };
  return { device: 'cpu', threads: 1, environment, logFolder: root, onNote: (text) => notes.push(text), notes };
}

const mixed = () => {
  const root = folderOf({
    good: ['config.json'],
    'all-minilm-l6-v2': ['tenbin.json'],
    'my model': ['config.json'],
    'a+b@c': ['modules.json'],
    empty: [],
    bm25: ['config.json'],
    hybrid: ['config.json'],
    lsa: ['config.json'],
    [staticWords.name]: ['config.json'],
    '.cache': [],
  });
  writeFileSync(join(root, 'README.md'), '');
  symlinkSync(join(root, 'nowhere'), join(root, 'dangling'));
  symlinkSync(join(root, 'good'), join(root, 'linked'));
  return root;
};

describe('folders below TENBIN_MODELS', () => {
  test('are known by their names, links followed, cards outranked and built-in models not', () => {
    const root = mixed();
    expect([...modelFolders({ TENBIN_MODELS: root })]).toEqual(
      ['all-minilm-l6-v2', 'good', 'linked'].map((name) => [name, join(root, name)]),
    );
    expect([...modelFolders({}), ...modelFolders({ TENBIN_MODELS: '' })]).toEqual([]);
  });

  test('that cannot be used say what they need', () => {
    const found = new Map(passedOver({ TENBIN_MODELS: mixed() }).map(({ name, needs }) => [name, needs]));
    const builtIn = ['bm25', 'hybrid', 'lsa', staticWords.name];
    expect([...found.keys()]).toEqual([
      'a+b@c',
      'bm25',
      'dangling',
      'empty',
      'hybrid',
      'lsa',
      'my model',
      staticWords.name,
    ]);
    for (const name of builtIn) {
      expect(found.get(name)).toBe('rename: this is the name of a built-in model');
    }
    for (const name of ['a+b@c', 'my model']) expect(found.get(name)).toMatch(/^another name/);
    expect(found.get('empty')).toMatch(/config\.json.*none is in it/);
    expect(found.get('dangling')).toMatch(/link leads nowhere/);
  });

  test('are all in the list of models, the usable ones first', async () => {
    const rows = await modelRows({ TENBIN_MODELS: mixed() });
    const ids = rows.map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual(['all-minilm-l6-v2', 'good', 'linked']);
    for (const id of ['a+b@c', 'bm25', 'dangling', 'empty', 'hybrid', 'my model']) {
      expect(rows.filter((row) => row.id === id)).toEqual([
        expect.objectContaining({ family: 'unknown', needs: expect.stringMatching(/./) }),
      ]);
    }
    expect(ids.filter((id) => id === 'all-minilm-l6-v2')).toHaveLength(1);
  });

  test('one model as the whole folder is told from a folder of models', async () => {
    const root = folderOf({ '1_Pooling': ['config.json'] });
    writeFileSync(join(root, 'config.json'), '{}');
    expect(modelFolders({ TENBIN_MODELS: root }).size).toBe(0);
    expect(passedOver({ TENBIN_MODELS: root })).toEqual([
      expect.objectContaining({ name: basename(root), needs: expect.stringMatching(/folder around it/) }),
    ]);
    await expect(resolveModels(['some-model'], accessTo(root))).rejects.toThrow(/some-model.*folder around it/);
  });

  test.each([
    ['my model', /Unknown system: `my model`.*needs another name/],
    ['a+b@c', /a\+b@c is passed over.*needs another name/],
    ['a+b@c+int8', /needs another name/],
    ['empty', /Unknown system: `empty`.*none is in it/],
    ['bm25 > dangling@10', /link leads nowhere/],
  ])('a system that meant one (%s) is told why it is not known', async (text, message) => {
    const refused = resolveModels([text], accessTo(mixed()));
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toMatchObject({ code: 'unknown-name' });
  });

  test('other unknown names get no such hint', async () => {
    await expect(resolveModels(['bm52'], accessTo(mixed()))).rejects.toThrow(/^Unknown system: `bm52`\. Did you mean/);
  });

  test('a built-in model keeps its name, and whoever uses it is told', async () => {
    const access = accessTo(mixed());
    expect(await resolveModels(['bm25', 'hybrid > lsa@64@20'], access)).toEqual({
      resolved: [],
      failures: new Map(),
    });
    expect(access.notes.map((note) => note.split(' ')[0])).toEqual(['bm25', 'hybrid', 'lsa']);
    const other = accessTo(mixed());
    await resolveModels(['tf-idf'], other);
    expect(other.notes).toEqual([]);
  });
});

describe('models on a narrow terminal', () => {
  test('a line of names and below it what is said, none wider than the terminal', async () => {
    const rows = await modelRows({});
    const lines = narrowModels(rows, 80).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.filter((line) => !line.startsWith('  '))).toHaveLength(rows.length);
    expect(lines[0]).toBe('dense-tiny, dense, Apache-2.0, verified');
  });

  test.each([
    ['', 10, ['']],
    ['one two three', 7, ['one two', 'three']],
    ['one two three', 8, ['one two', 'three']],
    ['unbreakable a', 4, ['unbreakable', 'a']],
  ])('%j in %i characters', (text, width, lines) => {
    expect(wrapped(text, width)).toEqual(lines);
  });
});
