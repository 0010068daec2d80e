import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { readModelFolder } from '../../../runners/backends/model-folder/index.js';
import type { ModelCard } from '../../../runners/models/card.js';

const made: string[] = [];
afterAll(async () => {
  for (const folder of made) await rm(folder, { recursive: true, force: true });
});

/** Files of a folder by name: texts as they are, everything else as JSON. */
export type Files = Readonly<Record<string, unknown>>;

/** A folder with those files, removed after the tests of the file. */
export async function madeFolder(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenbin-model-'));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** The card of a folder with those files. */
export async function cardFrom(files: Files, dtype?: string): Promise<ModelCard> {
  const path = await madeFolder(files);
  const card = await readModelFolder(path, {
    id: 'made',
    origin: { kind: 'folder', path },
    ...(dtype === undefined ? {} : { dtype }),
  });
  return card;
}

const st = 'sentence_transformers.models';

export const bertConfig = {
  architectures: ['BertModel'],
  model_type: 'bert',
  vocab_size: 100,
  hidden_size: 8,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  intermediate_size: 16,
  max_position_embeddings: 32,
  type_vocab_size: 2,
} as const;

export const denseModules = [
  { idx: 0, name: '0', path: '', type: `${st}.Transformer` },
  { idx: 1, name: '1', path: '1_Pooling', type: `${st}.Pooling` },
  { idx: 2, name: '2', path: '2_Normalize', type: `${st}.Normalize` },
];

/** A dense model in the layout of sentence-transformers. */
export const denseFiles: Files = {
  'config.json': bertConfig,
  'modules.json': denseModules,
  '1_Pooling/config.json': { word_embedding_dimension: 8, pooling_mode_mean_tokens: true },
  'sentence_bert_config.json': { max_seq_length: 24 },
  'onnx/model.onnx': 'graph',
};

/** A late-interaction model in the layout of PyLate. */
export const lateFiles: Files = {
  'config.json': bertConfig,
  'modules.json': [
    { path: '', type: `${st}.Transformer` },
    { path: '1_Dense', type: 'pylate.models.Dense.Dense' },
  ],
  '1_Dense/config.json': { in_features: 8, out_features: 4, bias: false },
  'config_sentence_transformers.json': {
    query_prefix: '[Q] ',
    document_prefix: '',
    query_length: 6,
    document_length: 20,
    attend_to_expansion_tokens: false,
    skiplist_words: ['.', ','],
  },
  'onnx/model.onnx': 'graph',
};
