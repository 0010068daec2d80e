import type { DenseCard, LateInteractionCard, ModelCard, RerankerCard, SparseCard } from '../card.js';
import { punctuation } from './late-interaction.js';
import { noPrompts } from './origins.js';
import { bertTiny } from './shapes.js';

/** The models that come with the product, as runners/models/embedded/ has them; their numbers of weights are the graphs'. */
const embedded = {
  files: { w8: 'onnx/model_w8.onnx' },
  architecture: bertTiny,
  languages: ['en'],
  licence: 'Apache-2.0',
  verified: true,
} as const;

const embedding = 3_906_816;

const denseTiny: DenseCard = {
  ...embedded,
  family: 'dense',
  id: 'dense-tiny',
  summary: 'Dense test model of this project, two layers, trained to be cut to 64 and 32',
  origin: { kind: 'embedded', folder: 'dense-tiny' },
  maxLength: 256,
  pooling: 'mean',
  normalize: true,
  dims: 128,
  matryoshkaDims: [32, 64, 128],
  similarity: 'cosine',
  prompts: noPrompts,
  parameters: { total: 4_369_408, active: 4_369_408 - embedding, embedding },
};

/** The head takes logits with the input embedding, so every weight is active. */
const spladeTiny: SparseCard = {
  ...embedded,
  family: 'sparse',
  id: 'splade-tiny',
  summary: 'SPLADE with two layers, the smallest learned sparse model',
  origin: { kind: 'embedded', folder: 'splade-tiny' },
  maxLength: 512,
  specialTokens: 'kept',
  queries: 'model',
  logarithms: 1,
  prompts: noPrompts,
  parameters: { total: 4_416_698, active: 4_416_698, embedding },
};

const colbertTiny: LateInteractionCard = {
  ...embedded,
  family: 'late-interaction',
  id: 'colbert-tiny',
  summary: 'Late-interaction test model of this project, two layers',
  origin: { kind: 'embedded', folder: 'colbert-tiny' },
  maxLength: 180,
  dims: 64,
  queryMarker: '[unused0]',
  documentMarker: '[unused1]',
  queryLength: 32,
  documentLength: 180,
  expansion: 'attended',
  skiplist: punctuation,
  prompts: noPrompts,
  parameters: { total: 4_377_600, active: 4_377_600 - embedding, embedding },
};

const ceTiny: RerankerCard = {
  ...embedded,
  family: 'reranker',
  id: 'ce-tiny',
  summary: 'Cross-encoder test model of this project, two layers',
  origin: { kind: 'embedded', folder: 'ce-tiny' },
  maxLength: 512,
  method: 'cross-encoder',
  labels: 1,
  template: null,
  words: null,
  parameters: { total: 4_386_049, active: 4_386_049 - embedding, embedding },
};

export const embeddedCards: readonly ModelCard[] = [denseTiny, spladeTiny, colbertTiny, ceTiny];
