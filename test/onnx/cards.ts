import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  DenseCard,
  Dtype,
  LateInteractionCard,
  ModelFiles,
  RerankerCard,
  SparseCard,
} from '../../runners/models/card.js';

const root = join(import.meta.dirname, '../..');
export const sharedModels = join(root, '../shared/models');
export const hasShared = existsSync(sharedModels);
export const embedded = join(root, 'runners/models/embedded');
export const golden = join(root, 'test/golden/models');

export function readJson(...path: readonly string[]) {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

const facts = {
  summary: 'a model of the tests',
  origin: { kind: 'folder', path: 'test' },
  languages: ['en'],
  licence: 'Apache-2.0',
  verified: true,
} as const;

const files = {
  fp32: 'onnx/model.onnx',
  fp16: 'onnx/model_fp16.onnx',
  int8: 'onnx/model_int8.onnx',
  w8: 'onnx/model_w8.onnx',
} as const;

/** Cards as the folders' configs say, written by hand. */
export const denseTiny: DenseCard = {
  ...facts,
  id: 'dense-tiny',
  family: 'dense',
  files,
  maxLength: 256,
  pooling: 'mean',
  normalize: true,
  dims: 128,
  matryoshkaDims: [32, 64, 128],
  similarity: 'cosine',
  prompts: { query: '', document: '' },
};

export const minilm: DenseCard = { ...denseTiny, id: 'all-minilm-l6-v2', dims: 384, matryoshkaDims: [] };

export const bge: DenseCard = {
  ...minilm,
  id: 'bge-small-en-v1.5',
  pooling: 'cls',
  maxLength: 512,
  prompts: { query: 'Represent this sentence for searching relevant passages: ', document: '' },
};

export const spladeTiny: SparseCard = {
  ...facts,
  id: 'splade-tiny',
  family: 'sparse',
  files,
  maxLength: 512,
  specialTokens: 'kept',
  queries: 'model',
  logarithms: 1,
  prompts: { query: '', document: '' },
};

export const colbertTiny: LateInteractionCard = {
  ...facts,
  id: 'colbert-tiny',
  family: 'late-interaction',
  files,
  maxLength: 180,
  dims: 64,
  queryMarker: '[unused0]',
  documentMarker: '[unused1]',
  queryLength: 32,
  documentLength: 180,
  expansion: 'attended',
  skiplist: [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
  prompts: { query: '', document: '' },
};

export const ceTiny: RerankerCard = {
  ...facts,
  id: 'ce-tiny',
  family: 'reranker',
  files,
  maxLength: 512,
  method: 'cross-encoder',
  labels: 1,
  template: null,
  words: null,
};

export const llamaTiny: RerankerCard = {
  ...ceTiny,
  id: 'random-llama-tiny',
  maxLength: 1024,
  method: 'yes-no',
  template:
    '<|im_start|>system\nJudge whether the Document meets the Query. Answer yes or no.<|im_end|>\n<|im_start|>user\n' +
    '<Query>: {query}\n<Document>: {document}<|im_end|>\n<|im_start|>assistant\n',
  words: { yes: 'yes', no: 'no' },
};

export const t5Tiny: RerankerCard = {
  ...ceTiny,
  id: 'random-t5-tiny',
  files: { fp32: 'onnx/decoder_model.onnx' },
  method: 'query-likelihood',
  template: '{document}',
};

/** The files of a card in ../shared/models. */
export function shared<Card extends ModelFiles['card']>(card: Card, dtype: Dtype = 'fp32'): ModelFiles<Card> {
  return { card, dtype, folder: join(sharedModels, card.id) };
}

/** The files of a card that comes with the product. */
export function builtIn<Card extends ModelFiles['card']>(card: Card): ModelFiles<Card> {
  return { card, dtype: 'w8', folder: join(embedded, card.id) };
}

export const cpu = { device: 'cpu', threads: 1 } as const;
