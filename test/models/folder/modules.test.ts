import { describe, expect, test } from 'vitest';
import { moduleType } from '../../../runners/backends/model-folder/module-types.js';
import { bertConfig, cardFrom, denseFiles, denseModules, lateFiles } from './made-folder.js';

const [transformer, pooling, normalize] = denseModules;
const settings = 'config_sentence_transformers.json';

describe('the type of a module', () => {
  // Old and new places of the classes, as modules.json of sentence-transformers 2 to 6 and PyLate 1 to 3 name them.
  test.each([
    ['sentence_transformers.models.Transformer', 'Transformer'],
    ['sentence_transformers.models.Pooling.Pooling', 'Pooling'],
    ['sentence_transformers.base.modules.transformer.Transformer', 'Transformer'],
    ['sentence_transformers.base.modules.dense.Dense', 'Dense'],
    ['sentence_transformers.sentence_transformer.modules.pooling.Pooling', 'Pooling'],
    ['sentence_transformers.sparse_encoder.models.SpladePooling.SpladePooling', 'SpladePooling'],
    ['pylate.models.Dense.Dense', 'Dense'],
  ])('%s is %s', (name, type) => {
    expect(moduleType(name)).toBe(type);
  });

  test.each([
    'custom_st.Transformer',
    'my.custom.Pooling',
    'Transformer',
    'sentence_transformers_own.Dense',
    'x.pylate.Dense',
    '',
  ])('%j of another package stays as it is', (name) => {
    expect(moduleType(name)).toBe(name);
  });
});

test('a folder with the newer names is read like one with the older ones', async () => {
  const newer = [
    { path: '', type: 'sentence_transformers.base.modules.transformer.Transformer' },
    { path: '1_Pooling', type: 'sentence_transformers.sentence_transformer.modules.pooling.Pooling' },
    { path: '2_Normalize', type: 'sentence_transformers.base.modules.normalize.Normalize' },
  ];
  const { origin: _old, ...expected } = await cardFrom(denseFiles);
  const { origin: _new, ...card } = await cardFrom({ ...denseFiles, 'modules.json': newer });
  expect(card).toEqual(expected);
});

const st = (name: string) => `sentence_transformers.models.${name}`;
const at = (type: string, path = '3_X') => ({ path, type });

describe('a module of a dense model that is not understood', () => {
  test.each([
    ['LayerNorm', [transformer, pooling, at(st('LayerNorm'))]],
    ['my.custom.Thing', [transformer, pooling, normalize, at('my.custom.Thing')]],
    ['my.custom.Dense', [transformer, pooling, at('my.custom.Dense')]],
    ['custom_st.Transformer', [at('custom_st.Transformer', ''), pooling, normalize]],
    ['BoW', [at(st('BoW'), '0_BoW'), pooling]],
    ['WordEmbeddings', [at(st('WordEmbeddings'), '0_W'), pooling]],
    ['SparseStaticEmbedding', [at(st('SparseStaticEmbedding'), '0_S'), pooling]],
    ['LSTM and CNN', [transformer, at(st('LSTM')), at(st('CNN')), at(st('LSTM')), pooling]],
  ])('%s is refused by name, and tenbin.json may overrule that', async (name, modules) => {
    const files = { ...denseFiles, 'modules.json': modules };
    await expect(cardFrom(files)).rejects.toThrow(
      `dims (what the module ${name} does is not understood; modules.json)`,
    );
    await expect(cardFrom(files)).rejects.toMatchObject({ code: 'refused' });
    const overruled = await cardFrom({ ...files, 'tenbin.json': { dims: 8 } });
    expect(overruled).toMatchObject({ family: 'dense', dims: 8, pooling: 'mean' });
  });

  test.each([
    ['CLIPModel', [at(st('CLIPModel'), '0_CLIPModel')]],
    ['StaticEmbedding', [at(st('StaticEmbedding'), '0_StaticEmbedding')]],
    ['my.custom.Pooling', [transformer, at('my.custom.Pooling')]],
  ])('%s leaves the family open, and is refused in every family', async (name, modules) => {
    const files = { ...denseFiles, 'modules.json': modules };
    const reason = `what the module ${name} does is not understood`;
    await expect(cardFrom(files)).rejects.toThrow(`family (${reason}`);
    const dense = { ...files, 'tenbin.json': { family: 'dense', pooling: 'cls' } };
    await expect(cardFrom(dense)).rejects.toThrow(`dims (${reason}`);
    const sparse = { ...files, 'tenbin.json': { family: 'sparse', specialTokens: 'kept' } };
    await expect(cardFrom(sparse)).rejects.toThrow(`logarithms (${reason}`);
  });

  test('the routes of a router are modules like others', async () => {
    const files = {
      ...denseFiles,
      'modules.json': [at(st('Router'), '')],
      'router_config.json': {
        types: { q: st('StaticEmbedding'), d: st('Transformer'), p: st('Pooling') },
        structure: { query: ['q'], document: ['d', 'p'] },
      },
      'p/config.json': { pooling_mode: 'mean' },
    };
    await expect(cardFrom(files)).rejects.toThrow('dims (what the module StaticEmbedding does');
  });

  test('names of other people reach the terminal escaped', async () => {
    const files = { ...denseFiles, 'modules.json': [transformer, pooling, at('\u001b[31mred')] };
    await expect(cardFrom(files)).rejects.toThrow('\\x1b[31mred');
  });
});

describe('in the other families', () => {
  test('a sparse model with an autoencoder is refused', async () => {
    const files = {
      ...denseFiles,
      [settings]: { model_type: 'SparseEncoder' },
      'modules.json': [transformer, pooling, at('sentence_transformers.sparse_encoder.models.SparseAutoEncoder')],
    };
    await expect(cardFrom(files)).rejects.toThrow('what the module Pooling and SparseAutoEncoder does');
  });

  test('a late-interaction model takes a Normalize and nothing unknown', async () => {
    const modules = lateFiles['modules.json'] as readonly object[];
    const normal = { ...lateFiles, 'modules.json': [...modules, normalize] };
    expect(await cardFrom(normal)).toMatchObject({ family: 'late-interaction', dims: 4 });
    const more = { ...lateFiles, 'modules.json': [...modules, at('pylate.models.Quantization.Quantization')] };
    await expect(cardFrom(more)).rejects.toThrow('dims (what the module Quantization does');
    expect(await cardFrom({ ...more, 'tenbin.json': { dims: 4 } })).toMatchObject({ dims: 4 });
  });

  test.each([
    ['BertForSequenceClassification', 'cross-encoder'],
    ['Qwen3ForCausalLM', 'yes-no'],
    ['T5ForConditionalGeneration', 'query-likelihood'],
  ])('a reranker on %s with a head of its own is refused', async (name, method) => {
    const files = {
      'config.json': { ...bertConfig, architectures: [name], num_labels: 1 },
      'tokenizer_config.json': { chat_template: "{% for m in messages %}{{ m['content'] }}{% endfor %}" },
      [settings]: { model_type: 'CrossEncoder' },
      'onnx/model.onnx': 'graph',
      'modules.json': [transformer, at('sentence_transformers.cross_encoder.modules.logit_score.LogitScore')],
    };
    await expect(cardFrom(files)).rejects.toThrow('method (what the module LogitScore does is not understood');
    expect(await cardFrom({ ...files, 'tenbin.json': { method } })).toMatchObject({ method });
    expect(await cardFrom({ ...files, 'modules.json': [transformer] })).toMatchObject({ method });
  });
});
