import { z } from 'zod';
import type { DenseCard } from '../../models/card.js';
import { type Draft, draftOf, isOpen, type Reading } from './draft.js';
import { has } from './family.js';
import type { FolderContents, Module } from './folder-contents.js';
import { fieldsOf } from './json-file.js';
import { projectionOf } from './late-interaction.js';
import { strangersIn, understood } from './module-types.js';
import {
  promptsOf,
  type SentenceTransformersConfig,
  sentenceTransformersFile,
  sentenceTransformersOf,
} from './sentence-transformers.js';

const poolingFile = '1_Pooling/config.json';
const flag = z.boolean().nullish();

const poolingSchema = z.object({
  word_embedding_dimension: z.number().int().min(1).max(1_000_000).nullish(),
  embedding_dimension: z.number().int().min(1).max(1_000_000).nullish(),
  pooling_mode: z.string().nullish(),
  pooling_mode_cls_token: flag,
  pooling_mode_mean_tokens: flag,
  pooling_mode_lasttoken: flag,
  pooling_mode_max_tokens: flag,
  pooling_mode_mean_sqrt_len_tokens: flag,
  pooling_mode_weightedmean_tokens: flag,
  include_prompt: flag,
});
type PoolingConfig = z.output<typeof poolingSchema>;

const hiddenSchema = z.object({ hidden_size: z.number().int().min(1).max(1_000_000).nullish() });

/** The facts of a dense model: pooling, dims and the rest from its modules and their settings. */
export function denseDraft(contents: FolderContents): Draft {
  const own = sentenceTransformersOf(contents);
  const modules = contents.modules ?? [];
  const pooling = modules.find(({ type }) => type === 'Pooling')?.config ?? null;
  const settings = pooling === null ? null : fieldsOf(pooling, poolingSchema);
  const dims = strangersIn(contents, understood.dense) ?? dimsOf(contents, modules, settings);
  const similarity = similarityOf(own);
  return draftOf({
    pooling: poolingOf(settings),
    // Without that module vectors keep their length, as in sentence-transformers; a search by cosine scales them itself.
    normalize: { value: has(modules, 'Normalize') },
    dims,
    matryoshkaDims: matryoshkaOf(own, isOpen(dims) ? null : dims.value),
    similarity,
    prompts: { value: promptsOf(own) },
  });
}

const modes: readonly (readonly [keyof PoolingConfig, string])[] = [
  ['pooling_mode_cls_token', 'cls'],
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_lasttoken', 'lasttoken'],
  ['pooling_mode_max_tokens', 'max'],
  ['pooling_mode_mean_sqrt_len_tokens', 'mean_sqrt_len_tokens'],
  ['pooling_mode_weightedmean_tokens', 'weightedmean'],
];

const poolings: ReadonlyMap<string, DenseCard['pooling']> = new Map([
  ['cls', 'cls'],
  ['mean', 'mean'],
  ['lasttoken', 'last-token'],
]);

function poolingOf(settings: PoolingConfig | null): Reading<DenseCard['pooling']> {
  const looked = ['modules.json', poolingFile];
  if (settings === null) return { looked };
  const set = modes.filter(([field]) => settings[field] === true).map(([, mode]) => mode);
  const chosen = settings.pooling_mode == null ? set : [settings.pooling_mode];
  const [mode = '', ...more] = chosen;
  const known = poolings.get(mode);
  if (chosen.length === 0) return { looked };
  if (known === undefined || more.length > 0) {
    return { looked, reason: `pooling by ${chosen.join(' and ')} is none of mean, cls and last token` };
  }
  if (settings.include_prompt === false)
    return { looked, reason: 'the tokens of the prompt are left out of the pooling' };
  return { value: known };
}

/** The last linear layer gives the vector its length; else it is as long as the states that are pooled. */
function dimsOf(contents: FolderContents, modules: readonly Module[], settings: PoolingConfig | null): Reading<number> {
  if (has(modules, 'Dense')) return projectedDims(contents, modules);
  const hidden = contents.config === null ? null : fieldsOf(contents.config, hiddenSchema).hidden_size;
  const dims = settings?.word_embedding_dimension ?? settings?.embedding_dimension ?? hidden;
  return dims == null ? { looked: [poolingFile, 'config.json'] } : { value: dims };
}

/** Graphs end before such layers, so that their weights must be there, and vectors get their length after them. */
function projectedDims(contents: FolderContents, modules: readonly Module[]): Reading<number> {
  const looked = ['modules.json'];
  const dims = projectionOf(contents)?.dims;
  if (dims === undefined || modules.some(({ type, weights }) => type === 'Dense' && !weights)) {
    return { looked, reason: 'a Dense layer follows the pooling, without its config.json or model.safetensors' };
  }
  const afterNormalize = modules.slice(modules.findIndex(({ type }) => type === 'Normalize'));
  if (has(modules, 'Normalize') && has(afterNormalize, 'Dense')) {
    return { looked, reason: 'a Dense layer follows the normalization, which is not supported' };
  }
  return { value: dims };
}

const similarities: ReadonlyMap<string, DenseCard['similarity']> = new Map([
  ['cosine', 'cosine'],
  ['dot', 'dot'],
  ['dot_product', 'dot'],
]);

/** Cosine where nothing is said, as in sentence-transformers. */
function similarityOf(own: SentenceTransformersConfig): Reading<DenseCard['similarity']> {
  const name = own.similarity_fn_name ?? 'cosine';
  const known = similarities.get(name);
  if (known !== undefined) return { value: known };
  return { looked: [sentenceTransformersFile], reason: `the similarity ${name} is neither cosine nor dot` };
}

function matryoshkaOf(own: SentenceTransformersConfig, dims: number | null): Reading<readonly number[]> {
  const lengths = [...new Set(own.matryoshka_dims ?? [])].sort((a, b) => a - b);
  const longest = lengths.at(-1) ?? 0;
  if (dims === null || longest <= dims) return { value: lengths };
  return { looked: [sentenceTransformersFile], reason: `matryoshka_dims has ${longest}, and vectors have ${dims}` };
}
