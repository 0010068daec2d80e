import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readModelFolder } from '../../../runners/backends/model-folder/index.js';

/** Facts of the models beside the repository, from their READMEs and configs. */
const shared = join(import.meta.dirname, '../../../../shared/models');
const reason = existsSync(shared) ? '' : ` (no ${shared})`;

const none = { query: '', document: '' };
const bertTiny = {
  kind: 'encoder',
  layers: 2,
  hidden: 128,
  heads: 2,
  feedForward: 512,
  gated: false,
  vocabulary: 30_522,
};
const punctuation = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];

const expected = {
  'all-minilm-l6-v2': {
    family: 'dense',
    files: { fp32: 'onnx/model.onnx' },
    maxLength: 256,
    pooling: 'mean',
    normalize: true,
    dims: 384,
    matryoshkaDims: [],
    similarity: 'cosine',
    prompts: none,
    parameters: { total: 22_565_376, active: 10_844_928, embedding: 11_720_448 },
    architecture: { ...bertTiny, layers: 6, hidden: 384, heads: 12, feedForward: 1536 },
    licence: 'Apache-2.0',
  },
  'bge-small-en-v1.5': {
    family: 'dense',
    files: { int8: 'onnx/model_int8.onnx' },
    maxLength: 512,
    pooling: 'cls',
    normalize: true,
    dims: 384,
    matryoshkaDims: [],
    similarity: 'cosine',
    prompts: { query: 'Represent this sentence for searching relevant passages: ', document: '' },
    parameters: { total: 33_212_160, active: 21_491_712, embedding: 11_720_448 },
    architecture: { ...bertTiny, layers: 12, hidden: 384, heads: 12, feedForward: 1536 },
    licence: 'MIT',
  },
  'dense-tiny': {
    family: 'dense',
    files: { fp32: 'onnx/model.onnx', w8: 'onnx/model_w8.onnx' },
    maxLength: 256,
    pooling: 'mean',
    normalize: true,
    dims: 128,
    matryoshkaDims: [32, 64, 128],
    similarity: 'cosine',
    prompts: none,
    parameters: { total: 4_369_408, active: 462_592, embedding: 3_906_816 },
    architecture: bertTiny,
    licence: 'Apache-2.0',
  },
  'splade-tiny': {
    family: 'sparse',
    files: {
      fp32: 'onnx/model.onnx',
      fp16: 'onnx/model_fp16.onnx',
      int8: 'onnx/model_int8.onnx',
      w8: 'onnx/model_w8.onnx',
    },
    maxLength: 512,
    specialTokens: 'kept',
    queries: 'model',
    logarithms: 1,
    prompts: none,
    parameters: { total: 4_416_698, active: 4_416_698, embedding: 3_906_816 },
    architecture: bertTiny,
    licence: 'Apache-2.0',
  },
  'colbert-tiny': {
    family: 'late-interaction',
    files: { fp32: 'onnx/model.onnx', w8: 'onnx/model_w8.onnx' },
    maxLength: 180,
    dims: 64,
    queryMarker: '[unused0]',
    documentMarker: '[unused1]',
    queryLength: 32,
    documentLength: 180,
    expansion: 'attended',
    skiplist: punctuation,
    prompts: none,
    parameters: { total: 4_377_600, active: 470_784, embedding: 3_906_816 },
    architecture: bertTiny,
    licence: 'Apache-2.0',
  },
  'ce-tiny': {
    family: 'reranker',
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_int8.onnx', w8: 'onnx/model_w8.onnx' },
    maxLength: 512,
    method: 'cross-encoder',
    labels: 1,
    template: null,
    words: null,
    parameters: { total: 4_386_049, active: 479_233, embedding: 3_906_816 },
    architecture: bertTiny,
    licence: 'Apache-2.0',
  },
  'random-llama-tiny': {
    family: 'reranker',
    files: { fp32: 'onnx/model.onnx' },
    maxLength: 1024,
    method: 'yes-no',
    labels: 1,
    // The text of `yesNo.template` in reference/logits.json.
    template:
      '<|im_start|>system\nJudge whether the Document meets the Query. Answer yes or no.<|im_end|>\n' +
      '<|im_start|>user\n<Query>: {query}\n<Document>: {document}<|im_end|>\n<|im_start|>assistant\n',
    words: { yes: 'yes', no: 'no' },
    parameters: { total: 330_432, active: 202_240, embedding: 128_192 },
    architecture: {
      kind: 'decoder',
      layers: 2,
      hidden: 64,
      heads: 4,
      keyValueHeads: 2,
      headSize: 16,
      feedForward: 128,
      gated: true,
      vocabulary: 2003,
    },
    licence: 'unknown',
  },
  'random-t5-tiny': {
    family: 'reranker',
    files: { fp32: 'onnx/decoder_model.onnx' },
    maxLength: 512,
    method: 'query-likelihood',
    labels: 1,
    template: 'Passage: {document}\nWrite a question that this passage answers: {query}',
    words: null,
    parameters: { total: 325_632, active: 325_632, embedding: 128_000 },
    architecture: {
      kind: 'encoder-decoder',
      layers: 2,
      decoderLayers: 2,
      hidden: 64,
      heads: 4,
      headSize: 16,
      feedForward: 128,
      gated: true,
      vocabulary: 2000,
    },
    licence: 'unknown',
  },
} as const;

for (const [name, facts] of Object.entries(expected)) {
  test.skipIf(reason !== '')(`${name} is read as its README says${reason}`, async () => {
    const path = join(shared, name);
    const origin = { kind: 'folder', path } as const;
    const { summary, ...card } = await readModelFolder(path, { id: `./${name}`, origin });
    expect(card).toEqual({ id: `./${name}`, origin, languages: [], verified: false, ...facts });
    expect(summary).toMatch(/^[A-Z][\w -]+ as the files in its folder describe it$/);
  });
}
