import { z } from 'zod';
import type { SparseCard } from '../../models/card.js';
import { type Draft, draftOf, type Reading } from './draft.js';
import { has } from './family.js';
import type { FolderContents, Module } from './folder-contents.js';
import { fieldsOf } from './json-file.js';
import { strangersIn, understood } from './module-types.js';
import { promptsOf, sentenceTransformersOf } from './sentence-transformers.js';

const idfFile = 'idf.json';

/** The defaults are those of SpladePooling in sentence-transformers, for settings that were written before a field was. */
const schema = z.object({
  pooling_strategy: z.string().default('max'),
  activation_function: z.string().default('relu'),
});

/** log(1 + ·) after ReLU, by the name that SpladePooling gives it. */
const activations: ReadonlyMap<string, SparseCard['logarithms']> = new Map([
  ['relu', 1],
  ['log1p_relu', 2],
]);

/**
 * The facts of a learned sparse model. Masked language models do not say how their logits become weights: without the
 * settings of a SpladePooling that is asked for.
 */
export function sparseDraft(contents: FolderContents): Draft {
  const pooling = (contents.modules ?? []).find(({ type }) => type === 'SpladePooling');
  return draftOf({
    // SpladePooling takes the maximum over every token that is attended to.
    specialTokens: pooling === undefined ? { looked: ['modules.json'] } : { value: 'kept' },
    queries: queriesOf(contents),
    logarithms: strangersIn(contents, understood.sparse) ?? logarithmsOf(pooling),
    prompts: { value: promptsOf(sentenceTransformersOf(contents)) },
  });
}

function logarithmsOf(pooling: Module | undefined): Reading<SparseCard['logarithms']> {
  if (pooling === undefined) return { looked: ['modules.json'] };
  const looked = [pooling.settingsFile];
  if (pooling.config === null) return { looked };
  const { pooling_strategy: strategy, activation_function: activation } = fieldsOf(pooling.config, schema);
  if (strategy !== 'max') return { looked, reason: `pooling by ${strategy} is not the maximum` };
  const known = activations.get(activation);
  return known === undefined ? { looked, reason: `the activation ${activation} is not known` } : { value: known };
}

/** Where queries have a table instead of the model, it must be the one that tokens are looked up in by their text. */
function queriesOf(contents: FolderContents): Reading<SparseCard['queries']> {
  const table = contents.names.includes(idfFile);
  if (contents.modules === null && table) {
    return { looked: ['modules.json'], reason: `nothing says whether queries are looked up in ${idfFile}` };
  }
  if (!has(contents.modules ?? [], 'SparseStaticEmbedding')) return { value: 'model' };
  if (table) return { value: { idf: idfFile } };
  return { looked: [idfFile], reason: `queries are looked up in a table, and there is no ${idfFile}` };
}
