import { z } from 'zod';
import type { SparseCard } from '../../models/card.js';
import { type Draft, draftOf, type Reading } from './draft.js';
import { has } from './family.js';
import type { FolderContents, Module } from './folder-contents.js';
import { fieldsOf } from './json-file.js';
import { promptsOf, sentenceTransformersOf } from './sentence-transformers.js';

const pooledFile = '1_SpladePooling/config.json';
const idfFile = 'idf.json';

const schema = z.object({
  pooling_strategy: z.string().nullish(),
  activation_function: z.string().nullish(),
});

/** log(1 + ·) after ReLU, by the name that SpladePooling gives it. */
const activations: ReadonlyMap<string, SparseCard['logarithms']> = new Map([
  ['relu', 1],
  ['log1p_relu', 2],
]);

/** The facts of a learned sparse model. Without modules it is SPLADE as first published: one logarithm, maximum. */
export function sparseDraft(contents: FolderContents): Draft {
  return draftOf({
    specialTokens: { value: 'kept' },
    queries: queriesOf(contents),
    logarithms: logarithmsOf(contents.modules ?? []),
    prompts: { value: promptsOf(sentenceTransformersOf(contents)) },
  });
}

function logarithmsOf(modules: readonly Module[]): Reading<SparseCard['logarithms']> {
  const pooled = modules.find(({ type }) => type === 'SpladePooling')?.config ?? null;
  if (pooled === null) return { value: 1 };
  const { pooling_strategy: strategy, activation_function: activation } = fieldsOf(pooled, schema);
  const looked = [pooled.name];
  if ((strategy ?? 'max') !== 'max') return { looked, reason: `pooling by ${strategy} is not the maximum` };
  const known = activations.get(activation ?? 'relu');
  return known === undefined ? { looked, reason: `the activation ${activation} is not known` } : { value: known };
}

/** Where queries have a table instead of the model, it must be the one that tokens are looked up in by their text. */
function queriesOf(contents: FolderContents): Reading<SparseCard['queries']> {
  const table = contents.names.includes(idfFile);
  if (!has(contents.modules ?? [], 'SparseStaticEmbedding')) return { value: 'model' };
  if (table) return { value: { idf: idfFile } };
  return { looked: [idfFile, pooledFile], reason: `queries are looked up in a table, and there is no ${idfFile}` };
}
