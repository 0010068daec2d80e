import { describe, expect, test } from 'vitest';
import { bertConfig, cardFrom, denseFiles, denseModules } from './made-folder.js';

const settings = 'config_sentence_transformers.json';
const pooling = (fields: object) => ({ ...denseFiles, '1_Pooling/config.json': fields });

test('a folder in the layout of sentence-transformers is a dense model', async () => {
  const card = await cardFrom(denseFiles);
  expect(card).toMatchObject({
    id: 'made',
    family: 'dense',
    pooling: 'mean',
    normalize: true,
    dims: 8,
    matryoshkaDims: [],
    similarity: 'cosine',
    prompts: { query: '', document: '' },
    maxLength: 24,
    files: { fp32: 'onnx/model.onnx' },
    licence: 'unknown',
    verified: false,
  });
  // Tables 100·8 + 32·8 + 2·8, normalization 16, two layers of 4·(64 + 8) + (128 + 16) + (128 + 8) + 32.
  expect(card.parameters).toEqual({
    total: 800 + 256 + 16 + 16 + 2 * 600,
    active: 256 + 16 + 16 + 2 * 600,
    embedding: 800,
  });
});

describe('pooling', () => {
  test.each([
    [{ pooling_mode_cls_token: true }, 'cls'],
    [{ pooling_mode_mean_tokens: true, pooling_mode_cls_token: false }, 'mean'],
    [{ pooling_mode_lasttoken: true }, 'last-token'],
    [{ pooling_mode: 'lasttoken', embedding_dimension: 8 }, 'last-token'],
    [{ pooling_mode: 'mean' }, 'mean'],
  ])('%j is %s', async (fields, expected) => {
    expect(await cardFrom(pooling(fields))).toMatchObject({ pooling: expected, dims: 8 });
  });

  test.each([
    [{ pooling_mode_max_tokens: true }, 'pooling by max is none of mean, cls and last token'],
    [{ pooling_mode_mean_tokens: true, pooling_mode_cls_token: true }, 'pooling by cls and mean'],
    [{ pooling_mode_weightedmean_tokens: true }, 'pooling by weightedmean'],
    [{ pooling_mode_mean_tokens: true, include_prompt: false }, 'tokens of the prompt are left out'],
    [{}, 'pooling (not said; modules.json, 1_Pooling/config.json)'],
  ])('%j is asked for', async (fields, reason) => {
    await expect(cardFrom(pooling(fields))).rejects.toThrow(reason);
  });

  test('tenbin.json wins over pooling that would be refused', async () => {
    const files = { ...pooling({ pooling_mode_max_tokens: true }), 'tenbin.json': { pooling: 'cls' } };
    expect(await cardFrom(files)).toMatchObject({ pooling: 'cls', dims: 8 });
  });
});

test('without a size of vectors it is the hidden size', async () => {
  const config = { ...bertConfig, hidden_size: 16 };
  const files = { ...pooling({ pooling_mode_mean_tokens: true }), 'config.json': config };
  expect(await cardFrom(files)).toMatchObject({ dims: 16 });
});

describe('a Dense layer', () => {
  const [transformer, pool, normalize] = denseModules;
  const layer = (path: string) => ({ path, type: 'sentence_transformers.models.Dense' });
  const config = { in_features: 8, out_features: 4, bias: true };
  const weights = { '2_Dense/model.safetensors': 'weights' };
  const files = { ...denseFiles, 'modules.json': [transformer, pool, layer('2_Dense'), normalize] };

  test('gives the vectors their length and the card its weights, where those are in the folder', async () => {
    const card = await cardFrom({ ...files, ...weights, '2_Dense/config.json': config });
    expect(card).toMatchObject({ dims: 4, pooling: 'mean' });
    const bare = await cardFrom(denseFiles);
    expect((card.parameters?.total ?? 0) - (bare.parameters?.total ?? 0)).toBe(8 * 4 + 4);
  });

  test('after another one has the last word', async () => {
    const two = {
      ...files,
      ...weights,
      'modules.json': [transformer, pool, layer('2_Dense'), layer('3_Dense/')],
      '2_Dense/config.json': config,
      '3_Dense/config.json': { in_features: 4, out_features: 2 },
      '3_Dense/model.safetensors': 'weights',
    };
    expect(await cardFrom(two)).toMatchObject({ dims: 2 });
  });

  test.each([
    ['without weights', { '2_Dense/config.json': config }],
    ['without its config.json', weights],
  ])('%s is refused, unless tenbin.json says how long the vectors are', async (_, own) => {
    await expect(cardFrom({ ...files, ...own })).rejects.toThrow('without its config.json or model.safetensors');
    expect(await cardFrom({ ...files, ...own, 'tenbin.json': { dims: 4 } })).toMatchObject({ dims: 4 });
  });

  test('behind the normalization is refused', async () => {
    const late = { ...files, 'modules.json': [transformer, pool, normalize, layer('2_Dense')] };
    const whole = { ...late, ...weights, '2_Dense/config.json': config };
    await expect(cardFrom(whole)).rejects.toThrow('a Dense layer follows the normalization');
  });
});

describe('similarity and normalization', () => {
  const without = denseModules.slice(0, 2);
  test.each([
    [undefined, 'cosine', false],
    ['cosine', 'cosine', false],
    ['dot', 'dot', false],
    ['dot_product', 'dot', false],
  ])('%s without a Normalize module', async (name, similarity, normalize) => {
    const own = name === undefined ? {} : { similarity_fn_name: name };
    const card = await cardFrom({ ...denseFiles, 'modules.json': without, [settings]: own });
    expect(card).toMatchObject({ similarity, normalize });
  });

  test('with a Normalize module they have length 1, whatever the similarity', async () => {
    const card = await cardFrom({ ...denseFiles, [settings]: { similarity_fn_name: 'dot' } });
    expect(card).toMatchObject({ similarity: 'dot', normalize: true });
  });

  test('others are refused by name', async () => {
    const files = { ...denseFiles, [settings]: { similarity_fn_name: 'manhattan' } };
    await expect(cardFrom(files)).rejects.toThrow('the similarity manhattan is neither cosine nor dot');
    const hostile = { ...denseFiles, [settings]: { similarity_fn_name: '\u001b[31mred' } };
    await expect(cardFrom(hostile)).rejects.toThrow('\\x1b[31mred');
  });
});

describe('Matryoshka lengths', () => {
  test('are sorted and counted once', async () => {
    const card = await cardFrom({ ...denseFiles, [settings]: { matryoshka_dims: [8, 2, 4, 2] } });
    expect(card).toMatchObject({ matryoshkaDims: [2, 4, 8] });
  });
  test('cannot be longer than the vector', async () => {
    const files = { ...denseFiles, [settings]: { matryoshka_dims: [4, 9] } };
    await expect(cardFrom(files)).rejects.toThrow('matryoshka_dims has 9, and vectors have 8');
  });
});

describe('prompts', () => {
  const promptsOf = async (own: object) => {
    const card = await cardFrom({ ...denseFiles, [settings]: own });
    return card.family === 'dense' ? card.prompts : null;
  };
  test.each([
    [{ prompts: { query: 'q: ', document: 'd: ' } }, { query: 'q: ', document: 'd: ' }],
    [{ prompts: { query: 'q: ', passage: 'p: ' } }, { query: 'q: ', document: 'p: ' }],
    [{ prompts: { corpus: 'c: ' } }, { query: '', document: 'c: ' }],
    [
      { prompts: { query: 'q: ', any: 'a: ' }, default_prompt_name: 'any' },
      { query: 'q: ', document: 'a: ' },
    ],
    [
      { prompts: { any: 'a: ' }, default_prompt_name: 'gone' },
      { query: '', document: '' },
    ],
    [
      { prompts: { query: null }, default_prompt_name: null },
      { query: '', document: '' },
    ],
    [{ prompts: {} }, { query: '', document: '' }],
    [{}, { query: '', document: '' }],
  ])('%j', async (own, expected) => {
    expect(await promptsOf(own)).toEqual(expected);
  });
  test('keep the blank at the end and characters of any script', async () => {
    expect(await promptsOf({ prompts: { query: '検索クエリ: ' } })).toEqual({ query: '検索クエリ: ', document: '' });
  });
});
