import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprintFolder, readModelFolder } from '../../../runners/backends/model-folder/index.js';
import { bertConfig, cardFrom, denseFiles, lateFiles, madeFolder } from './made-folder.js';

describe('max length', () => {
  const { 'sentence_bert_config.json': _, ...without } = denseFiles;
  const tokenizer = (model_max_length: unknown) => ({ ...without, 'tokenizer_config.json': { model_max_length } });

  test.each([
    [5, 7, 32, 5],
    [7, 5, 32, 5],
    [24, 512, 16, 16],
    [512, 512, 33, 33],
    [33, 32, 33, 32],
    [16, 16, 16, 16],
  ])('of %d (own), %d (tokenizer) and %d (positions) is %d, the least', async (own, limit, rows, least) => {
    const files = {
      ...tokenizer(limit),
      'sentence_bert_config.json': { max_seq_length: own },
      'config.json': { ...bertConfig, max_position_embeddings: rows },
    };
    expect((await cardFrom(files)).maxLength).toBe(least);
  });
  test.each(['roberta', 'xlm-roberta', 'camembert', 'mpnet', 'longformer'])(
    'a limit of the tokenizer beyond the positions of %s is not believed',
    async (model_type) => {
      const config = { ...bertConfig, model_type, max_position_embeddings: 34 };
      for (const limit of [32, 33, 34, 512]) {
        expect((await cardFrom({ ...tokenizer(limit), 'config.json': config })).maxLength).toBe(32);
      }
      expect((await cardFrom({ ...tokenizer(31), 'config.json': config })).maxLength).toBe(31);
      const padded = { ...config, pad_token_id: 0 };
      expect((await cardFrom({ ...tokenizer(512), 'config.json': padded })).maxLength).toBe(33);
      const { intermediate_size: _, ...unsized } = config;
      expect((await cardFrom({ ...tokenizer(512), 'config.json': unsized })).maxLength).toBe(32);
    },
  );
  test.each([{ max_seq_length: null }, {}])('%j there says nothing', async (own) => {
    expect((await cardFrom({ ...tokenizer(7), 'sentence_bert_config.json': own })).maxLength).toBe(7);
  });
  test.each([1e30, 0, -1, 2.5, null])('a tokenizer limit of %s is ignored', async (limit) => {
    expect((await cardFrom(tokenizer(limit))).maxLength).toBe(32);
  });
  test('else the positions, without the rows that RoBERTa does not use', async () => {
    expect((await cardFrom(without)).maxLength).toBe(32);
    const roberta = { ...without, 'config.json': { ...bertConfig, model_type: 'xlm-roberta' } };
    expect((await cardFrom(roberta)).maxLength).toBe(30);
    const unknown = { ...without, 'config.json': { ...bertConfig, model_type: 'new' } };
    expect((await cardFrom(unknown)).maxLength).toBe(32);
  });
  test('else it is asked for, with the files that were looked at', async () => {
    const silent = { ...without, 'config.json': { architectures: ['BertModel'], hidden_size: 8 } };
    const looked = 'sentence_bert_config.json, tokenizer_config.json, config.json';
    await expect(cardFrom(silent)).rejects.toThrow(`maxLength (not said; ${looked})`);
    await expect(cardFrom(silent)).rejects.toMatchObject({ code: 'missing' });
    expect((await cardFrom({ ...silent, 'tenbin.json': { maxLength: 9 } })).maxLength).toBe(9);
  });
  test('truncation and padding of tokenizer.json are never used', async () => {
    const files = {
      ...without,
      'tokenizer.json': { truncation: { max_length: 3 }, padding: { strategy: { Fixed: 3 } } },
    };
    expect((await cardFrom(files)).maxLength).toBe(32);
  });
  test('of late interaction is that of the longer side', async () => {
    const files = { ...lateFiles, 'sentence_bert_config.json': { max_seq_length: 19 } };
    expect((await cardFrom(files)).maxLength).toBe(20);
  });
  test('of late interaction is within the positions, on both sides', async () => {
    const few = { ...lateFiles, 'config.json': { ...bertConfig, max_position_embeddings: 5 } };
    expect(await cardFrom(few)).toMatchObject({ queryLength: 5, documentLength: 5, maxLength: 5 });
    const between = { ...lateFiles, 'config.json': { ...bertConfig, max_position_embeddings: 19 } };
    expect(await cardFrom(between)).toMatchObject({ queryLength: 6, documentLength: 19, maxLength: 19 });
  });
});

describe('licence and languages', () => {
  const readme = (head: string) => ({ ...denseFiles, 'README.md': `---\n${head}\n---\n# Model` });
  test('are those of the model card', async () => {
    const card = await cardFrom(readme('license: apache-2.0\nlanguage:\n- en\n- ja'));
    expect(card).toMatchObject({ licence: 'apache-2.0', languages: ['en', 'ja'] });
    expect((await cardFrom(readme('language: ja'))).languages).toEqual(['ja']);
  });
  test.each([
    ['no head', '# Model'],
    ['a broken head', '---\n{ [ \n---\n'],
    ['a head without an end', '---\nlicense: mit\n'],
    ['a licence of another type', '---\nlicense: [mit]\n---\n'],
    ['a head that is a list', '---\n- license\n---\n'],
    [
      'a head that explodes',
      `---\na: &a [x,x]\n${[...'bcdefgh'].map((k, i) => `${k}: &${k} [${`*${'abcdefgh'[i]},`.repeat(9)}]`).join('\n')}\nlicense: mit\n---\n`,
    ],
  ])('%s says nothing', async (_, text) => {
    expect(await cardFrom({ ...denseFiles, 'README.md': text })).toMatchObject({ licence: 'unknown', languages: [] });
  });
  test('else the licence is known by its first words', async () => {
    const licence = (text: string) => cardFrom({ ...denseFiles, LICENSE: text });
    const apache = '\n      Apache License\n   Version 2.0, January 2004\n';
    expect((await licence(apache)).licence).toBe('Apache-2.0');
    expect((await licence('MIT License\n\nCopyright')).licence).toBe('MIT');
    expect((await licence('Attribution-NonCommercial 4.0 International')).licence).toBe('CC-BY-NC-4.0');
    expect((await licence('All rights reserved')).licence).toBe('unknown');
  });
});

describe('tenbin.json', () => {
  test('wins over everything that is read', async () => {
    const own = {
      pooling: 'cls',
      normalize: false,
      dims: 4,
      similarity: 'dot',
      maxLength: 3,
      licence: 'own',
      summary: 'mine',
      languages: ['fi'],
      paper: 'arXiv:1234.56789',
      files: { int8: 'graphs/mine.onnx' },
      prompts: { query: 'q ', document: '' },
      parameters: { total: 7 },
    };
    expect(await cardFrom({ ...denseFiles, 'tenbin.json': own })).toMatchObject({ ...own, family: 'dense' });
  });
  test('gives the family where nothing else does', async () => {
    const bare = { 'config.json': bertConfig, 'onnx/model.onnx': 'graph' };
    await expect(cardFrom(bare)).rejects.toThrow(
      'family (not said; modules.json, config_sentence_transformers.json, config.json)',
    );
    const card = await cardFrom({ ...bare, 'tenbin.json': { family: 'dense', pooling: 'mean' } });
    expect(card).toMatchObject({ family: 'dense', pooling: 'mean', dims: 8, maxLength: 32 });
  });
  test('alone can make a whole card', async () => {
    const own = { family: 'dense', pooling: 'mean', dims: 4, maxLength: 8 };
    expect(await cardFrom({ 'tenbin.json': own })).toMatchObject({ ...own, files: {} });
  });
  test.each([
    ['a fact of another family', { logarithms: 1 }, 'Unrecognized key'],
    ['a fact that does not exist', { poolling: 'mean' }, 'Unrecognized key'],
    ['a wrong value', { pooling: 'max' }, '`pooling`'],
    ['a wrong type', { maxLength: '8' }, '`maxLength`'],
    ['a family that does not exist', { family: 'lexical' }, '`family`'],
    ['a path that leaves the folder', { files: { fp32: '../model.onnx' } }, '`files.fp32`'],
    ['an absolute path', { files: { fp32: '/etc/passwd' } }, '`files.fp32`'],
    ['a number format that does not exist', { files: { fp64: 'model.onnx' } }, '`files'],
    ['an id', { id: 'other' }, 'Unrecognized key'],
    ['a list', [], 'tenbin.json'],
  ])('%s is refused by file and field', async (_, own, reason) => {
    const failure = await cardFrom({ ...denseFiles, 'tenbin.json': own }).catch((error: Error) => error.message);
    expect(failure).toContain(reason);
    expect(failure).toContain('tenbin.json');
  });
  test('a template without its places is refused', async () => {
    const files = { 'tenbin.json': { family: 'reranker', template: 'no places' } };
    await expect(cardFrom(files)).rejects.toThrow('{query} and {document} must be in it');
  });
});

test('graphs that are known from a listing stand in for those in the folder', async () => {
  const path = await madeFolder(denseFiles);
  const graphs = { int8: 'onnx/model_quantized.onnx' } as const;
  const origin = { kind: 'hub', repo: 'org/name', revision: 'main' } as const;
  const card = await readModelFolder(path, { id: 'hub:org/name', origin, graphs });
  expect(card).toMatchObject({ id: 'hub:org/name', origin, files: graphs });
});

describe('hostile folders', () => {
  test('no folder, and a file instead of one', async () => {
    const origin = { kind: 'folder', path: '/nowhere' } as const;
    await expect(readModelFolder('/nowhere/at/all', { id: 'x', origin })).rejects.toThrow('no such model folder');
    const path = join(await madeFolder({ file: 'x' }), 'file');
    await expect(readModelFolder(path, { id: 'x', origin })).rejects.toThrow('no such model folder');
  });
  test('an empty folder', async () => {
    await expect(cardFrom({})).rejects.toThrow('family (not said');
  });
  test.each(['config.json', 'modules.json', 'sentence_bert_config.json', '1_Pooling/config.json', 'tenbin.json'])(
    '%s that is not JSON is named',
    async (name) => {
      for (const text of ['{', '', '\u0000', '[1,', `${'['.repeat(100_000)}`]) {
        const files = { ...denseFiles, [name]: text };
        await expect(cardFrom(files)).rejects.toThrow(`This file is not JSON: ${name}`);
      }
    },
  );
  test.each([
    ['config.json', [], 'config.json'],
    ['config.json', null, 'config.json'],
    ['config.json', { ...bertConfig, architectures: 'BertModel' }, '`architectures`'],
    ['config.json', { ...bertConfig, hidden_size: {} }, '`hidden_size`'],
    ['modules.json', {}, 'modules.json'],
    ['modules.json', [{ path: '', type: 1 }], '`[0].type`'],
    ['modules.json', Array.from({ length: 21 }, () => ({ path: '', type: 'x' })), 'modules.json'],
    ['sentence_bert_config.json', { max_seq_length: '256' }, '`max_seq_length`'],
    ['sentence_bert_config.json', { max_seq_length: 0 }, '`max_seq_length`'],
    ['1_Pooling/config.json', { pooling_mode_mean_tokens: 'yes' }, '`pooling_mode_mean_tokens`'],
    ['config_sentence_transformers.json', { prompts: { query: 1 } }, '`prompts.query`'],
    ['config_sentence_transformers.json', { matryoshka_dims: [0] }, '`matryoshka_dims[0]`'],
  ])('%s with a wrong value names file and field (%#)', async (name, value, field) => {
    const failure = await cardFrom({ ...denseFiles, [name]: value }).catch((error: Error) => error.message);
    expect(failure).toContain(field);
    expect(failure).toContain(name);
    await expect(cardFrom({ ...denseFiles, [name]: value })).rejects.toMatchObject({ code: 'malformed' });
  });
  test.each(['../1_Pooling', '1_Pooling/../..', '/etc', '\\share', 'C:\\x', 'a\\b', 'x\u0000'])(
    'a module at %j is refused',
    async (path) => {
      const modules = [{ path, type: 'sentence_transformers.models.Pooling' }];
      const files = { ...denseFiles, 'modules.json': modules };
      await expect(cardFrom(files)).rejects.toThrow('must stand below the model');
      await expect(cardFrom(files)).rejects.toThrow('[0].path');
    },
  );
  test('a huge file is not read', async () => {
    const folder = await madeFolder(denseFiles);
    await writeFile(join(folder, 'config.json'), Buffer.alloc(16 * 1024 * 1024 + 1, ' '));
    const origin = { kind: 'folder', path: folder } as const;
    await expect(readModelFolder(folder, { id: 'x', origin })).rejects.toThrow(
      'This file has more than 16777216 bytes: config.json',
    );
  });
  test('a folder in the place of a file is named', async () => {
    const { 'config.json': _, ...without } = denseFiles;
    const folder = await madeFolder(without);
    await mkdir(join(folder, 'config.json'));
    const origin = { kind: 'folder', path: folder } as const;
    await expect(readModelFolder(folder, { id: 'x', origin })).rejects.toThrow('This is not a file: config.json');
  });
  test('names of the prototype are names like others', async () => {
    const own = '{"prompts":{"__proto__":"p","constructor":"c","query":"q"},"default_prompt_name":"toString"}';
    const card = await cardFrom({ ...denseFiles, 'config_sentence_transformers.json': own });
    expect(card).toMatchObject({ prompts: { query: 'q', document: '' } });
  });
});

describe('fingerprintFolder', () => {
  // sha256 of the empty text and of `abc`: FIPS 180-2, appendix B.1.
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

  test('has the sha256 of each file, and no entry for one that is not there', async () => {
    const folder = await madeFolder({ a: 'abc', 'onnx/b': '' });
    expect(await fingerprintFolder(folder, ['a', 'onnx/b', 'c'])).toEqual({ a: abc, 'onnx/b': empty });
    expect(await fingerprintFolder(folder, [])).toEqual({});
  });
  test('a folder in the place of a file is an error that names it', async () => {
    const folder = await madeFolder({ 'onnx/b': '' });
    await expect(fingerprintFolder(folder, ['onnx'])).rejects.toThrow('onnx');
  });
});
