import { describe, expect, test } from 'vitest';
import { bertConfig, cardFrom, lateFiles } from './made-folder.js';

const se = 'sentence_transformers.sparse_encoder.models';
const spladeFiles = {
  'config.json': { ...bertConfig, architectures: ['BertForMaskedLM'] },
  'modules.json': [
    { path: '', type: `${se}.MLMTransformer` },
    { path: '1_SpladePooling', type: `${se}.SpladePooling` },
  ],
  'sentence_bert_config.json': { max_seq_length: 16 },
  'onnx/model.onnx': 'graph',
};
const pooled = '1_SpladePooling/config.json';
const settings = 'config_sentence_transformers.json';

describe('learned sparse models', () => {
  test.each([
    [{ pooling_strategy: 'max', activation_function: 'relu' }, 1],
    [{ pooling_strategy: 'max', activation_function: 'log1p_relu' }, 2],
    [{}, 1],
  ])('%j', async (fields, logarithms) => {
    const card = await cardFrom({ ...spladeFiles, [pooled]: fields });
    expect(card).toMatchObject({
      family: 'sparse',
      logarithms,
      queries: 'model',
      specialTokens: 'kept',
      maxLength: 16,
    });
  });

  test('the head shares its table with the input, so every weight is active', async () => {
    const { parameters } = await cardFrom({ ...spladeFiles, [pooled]: {} });
    const body = 256 + 16 + 16 + 2 * 600;
    expect(parameters?.total).toBe(800 + body + (64 + 8) + 16 + 100);
    expect(parameters?.active).toBe(parameters?.total);
  });

  test.each([
    [{ pooling_strategy: 'sum' }, 'logarithms (pooling by sum is not the maximum; 1_SpladePooling/config.json)'],
    [{ activation_function: 'gelu' }, 'the activation gelu is not known'],
  ])('%j is refused', async (fields, reason) => {
    await expect(cardFrom({ ...spladeFiles, [pooled]: fields })).rejects.toThrow(reason);
  });

  test.each([
    [{ pooling_strategy: null }, 'pooling_strategy'],
    [{ activation_function: null }, 'activation_function'],
    [{ activation_function: 1 }, 'activation_function'],
  ])('%j is no setting of a SpladePooling', async (fields, field) => {
    const card = cardFrom({ ...spladeFiles, [pooled]: fields });
    await expect(card).rejects.toThrow(`${pooled}`);
    await expect(card).rejects.toThrow(field);
  });

  test('a SpladePooling without its settings is asked for, unless tenbin.json gives them', async () => {
    await expect(cardFrom(spladeFiles)).rejects.toThrow(`logarithms (not said; ${pooled})`);
    await expect(cardFrom(spladeFiles)).rejects.toMatchObject({ code: 'missing' });
    const given = await cardFrom({ ...spladeFiles, 'tenbin.json': { logarithms: 2 } });
    expect(given).toMatchObject({ logarithms: 2, specialTokens: 'kept' });
  });

  const { 'modules.json': _modules, ...bare } = spladeFiles;

  test('a masked language model without modules is asked for its family, then for what makes weights of logits', async () => {
    await expect(cardFrom(bare)).rejects.toThrow('family (a masked language model may be a sparse model');
    await expect(cardFrom(bare)).rejects.toMatchObject({ code: 'refused' });
    const transformer = { ...bare, 'modules.json': [{ path: '', type: 'sentence_transformers.models.Transformer' }] };
    await expect(cardFrom(transformer)).rejects.toThrow('family (a masked language model');

    const sparse = { ...bare, 'tenbin.json': { family: 'sparse' } };
    const asked = await cardFrom(sparse).catch((error: Error) => error.message);
    for (const fact of ['specialTokens', 'logarithms']) expect(asked).toContain(`${fact} (not said; modules.json)`);
    const whole = { family: 'sparse', specialTokens: 'masked', logarithms: 2 };
    expect(await cardFrom({ ...bare, 'tenbin.json': whole })).toMatchObject({ ...whole, queries: 'model' });
  });

  test('a SparseEncoder without modules is sparse, and asked for the same', async () => {
    const named = { ...bare, [settings]: { model_type: 'SparseEncoder' } };
    await expect(cardFrom(named)).rejects.toThrow('specialTokens (not said; modules.json); logarithms');
  });

  test('a table beside a model without modules is not taken for its queries, nor left out', async () => {
    const own = { family: 'sparse', specialTokens: 'kept', logarithms: 1 } as const;
    const tabled = { ...bare, 'idf.json': {}, 'tenbin.json': own };
    await expect(cardFrom(tabled)).rejects.toThrow('nothing says whether queries are looked up in idf.json');
    const given = { ...tabled, 'tenbin.json': { ...own, queries: { idf: 'idf.json' } } };
    expect(await cardFrom(given)).toMatchObject({ queries: { idf: 'idf.json' } });
  });

  const routed = {
    ...spladeFiles,
    'modules.json': [{ path: '', type: 'sentence_transformers.models.Router' }],
    'router_config.json': {
      types: {
        query_0_SparseStaticEmbedding: `${se}.SparseStaticEmbedding.SparseStaticEmbedding`,
        document_0_MLMTransformer: `${se}.MLMTransformer.MLMTransformer`,
        document_1_SpladePooling: `${se}.SpladePooling.SpladePooling`,
      },
      structure: {
        query: ['query_0_SparseStaticEmbedding'],
        document: ['document_0_MLMTransformer', 'document_1_SpladePooling'],
      },
    },
    'document_1_SpladePooling/config.json': { pooling_strategy: 'max', activation_function: 'log1p_relu' },
  };

  test('an inference-free model looks its queries up in idf.json', async () => {
    const card = await cardFrom({ ...routed, 'idf.json': {} });
    expect(card).toMatchObject({ family: 'sparse', queries: { idf: 'idf.json' }, logarithms: 2 });
  });

  test('without that table it is asked for', async () => {
    await expect(cardFrom(routed)).rejects.toThrow('there is no idf.json');
  });

  test('a router without its settings is an error that names them', async () => {
    const { 'router_config.json': _, ...broken } = routed;
    await expect(cardFrom(broken)).rejects.toThrow('A Router needs its router_config.json');
  });
});

describe('late interaction', () => {
  test('in the layout of PyLate', async () => {
    const card = await cardFrom(lateFiles);
    expect(card).toMatchObject({
      family: 'late-interaction',
      dims: 4,
      queryMarker: '[Q] ',
      documentMarker: null,
      queryLength: 6,
      documentLength: 20,
      maxLength: 20,
      expansion: 'unattended',
      skiplist: ['.', ','],
    });
    expect(card.parameters?.total).toBe(800 + 256 + 16 + 16 + 2 * 600 + 8 * 4);
  });

  const own = lateFiles[settings] as object;
  const withOwn = (fields: object) => cardFrom({ ...lateFiles, [settings]: { ...own, ...fields } });

  test.each([
    [{ attend_to_expansion_tokens: true }, 'attended'],
    [{ attend_to_expansion_tokens: false, do_query_expansion: true }, 'unattended'],
    [{ do_query_expansion: false, attend_to_expansion_tokens: true }, null],
    [{ do_query_expansion: false, attend_to_expansion_tokens: null }, null],
  ])('%j expands queries: %s', async (fields, expansion) => {
    expect(await withOwn(fields)).toMatchObject({ expansion });
  });

  test('the bias of the projection is counted where it is not switched off', async () => {
    const files = { ...lateFiles, '1_Dense/config.json': { out_features: 4 } };
    expect((await cardFrom(files)).parameters?.total).toBe(800 + 256 + 16 + 16 + 2 * 600 + 8 * 4 + 4);
  });

  test('what is missing is listed with the file that was looked at', async () => {
    const bare = { ...lateFiles, [settings]: { query_prefix: '[Q]' } };
    const asked = ['documentMarker', 'queryLength', 'documentLength', 'expansion', 'skiplist'];
    const message = await cardFrom(bare).catch((error: Error) => error.message);
    for (const fact of asked) expect(message).toContain(`${fact} (not said; ${settings})`);
    expect(message).not.toContain('queryMarker (');
    expect(message).toContain('tenbin.json');
  });

  test('a projection without its settings is asked for', async () => {
    const { '1_Dense/config.json': _, ...bare } = lateFiles;
    await expect(cardFrom(bare)).rejects.toThrow('dims (not said; modules.json, 1_Dense/config.json)');
  });
});

describe('cross-encoders', () => {
  const files = (config: object) => ({
    'config.json': { ...bertConfig, architectures: ['BertForSequenceClassification'], ...config },
    'onnx/model.onnx': 'graph',
  });

  test.each([
    [{ num_labels: 1 }, 1],
    [{ id2label: { 0: 'LABEL_0' } }, 1],
    [{ num_labels: 2, id2label: { 0: 'LABEL_0', 1: 'LABEL_1' } }, 2],
    [{}, 2],
  ])('%j has %d labels', async (config, labels) => {
    const card = await cardFrom(files(config));
    expect(card).toMatchObject({ family: 'reranker', method: 'cross-encoder', labels, template: null, words: null });
    // The pooler is read by the classifier, so it counts here.
    expect(card.parameters?.total).toBe(800 + 256 + 16 + 16 + 2 * 600 + (64 + 8) + 8 * labels + labels);
  });

  test('more labels are refused with the reason', async () => {
    const config = { id2label: { 0: 'contradiction', 1: 'entailment', 2: 'neutral' } };
    await expect(cardFrom(files(config))).rejects.toThrow('a classifier of 3 labels does not score a pair');
    await expect(cardFrom(files(config))).rejects.toMatchObject({ code: 'refused' });
  });

  test.each([
    [{ num_labels: 1, id2label: { 0: 'a', 1: 'b' } }, 'num_labels is 1, and id2label lists 2'],
    [{ num_labels: 1, id2label: { 0: 'a', 1: 'b', 2: 'c' } }, 'num_labels is 1, and id2label lists 3'],
    [{ num_labels: 2, id2label: { 0: 'a' } }, 'num_labels is 2, and id2label lists 1'],
    [{ id2label: {} }, 'a classifier of 0 labels'],
    [{ num_labels: 5 }, 'a classifier of 5 labels'],
  ])('%j is refused, unless tenbin.json says how many', async (config, reason) => {
    await expect(cardFrom(files(config))).rejects.toThrow(`labels (${reason}`);
    await expect(cardFrom(files(config))).rejects.toMatchObject({ code: 'refused' });
    expect(await cardFrom({ ...files(config), 'tenbin.json': { labels: 1 } })).toMatchObject({ labels: 1 });
  });

  test('a head in modules of its own is refused: the graph does not have it', async () => {
    const apart = {
      'config.json': bertConfig,
      'modules.json': [{ path: '', type: 'sentence_transformers.models.Transformer' }],
      [settings]: { model_type: 'CrossEncoder' },
      'tenbin.json': { family: 'reranker' },
      'onnx/model.onnx': 'graph',
    };
    await expect(cardFrom(apart)).rejects.toThrow('the head that scores a pair stands outside the graph');
  });

  test('modules that pool nothing leave it to the class in config.json', async () => {
    const modules = [{ path: '', type: 'sentence_transformers.models.Transformer' }];
    expect(await cardFrom({ ...files({ num_labels: 1 }), 'modules.json': modules })).toMatchObject({ labels: 1 });
  });

  test('a cross-encoder in the new layout is known by its class', async () => {
    const newer = {
      ...files({ num_labels: 1 }),
      'modules.json': [{ path: '', type: 'sentence_transformers.models.Transformer' }],
      [settings]: { model_type: 'CrossEncoder' },
    };
    expect(await cardFrom(newer)).toMatchObject({ method: 'cross-encoder', labels: 1 });
  });
});
