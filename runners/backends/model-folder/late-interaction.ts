import { z } from 'zod';
import type { LateInteractionCard } from '../../models/card.js';
import { type Draft, draftOf, type Reading } from './draft.js';
import type { FolderContents } from './folder-contents.js';
import { fieldsOf } from './json-file.js';
import { positionsOf } from './max-length.js';
import { strangersIn, understood } from './module-types.js';
import {
  promptsOf,
  type SentenceTransformersConfig,
  sentenceTransformersFile,
  sentenceTransformersOf,
} from './sentence-transformers.js';

const denseSchema = z.object({ out_features: z.number().int().min(1).max(1_000_000), bias: z.boolean().nullish() });

/** The linear layer over each token, which late-interaction graphs hold; null where there is none. */
export function projectionOf(contents: FolderContents): { readonly dims: number; readonly bias: boolean } | null {
  const config = (contents.modules ?? []).findLast(({ type }) => type === 'Dense')?.config ?? null;
  if (config === null) return null;
  const { out_features: dims, bias } = fieldsOf(config, denseSchema);
  return { dims, bias: bias ?? true };
}

/** The facts of a late-interaction model in PyLate's layout. */
export function lateInteractionDraft(contents: FolderContents): Draft {
  const own = sentenceTransformersOf(contents);
  const fromOwn = <Value>(value: Value | null | undefined): Reading<Value> =>
    value == null ? { looked: [sentenceTransformersFile] } : { value };
  const length = (said: number | null | undefined) => fromOwn(said == null ? said : withinPositions(said, contents));
  return draftOf({
    dims: strangersIn(contents, understood['late-interaction']) ?? dimsOf(contents),
    queryMarker: markerOf(own.query_prefix),
    documentMarker: markerOf(own.document_prefix),
    queryLength: length(own.query_length),
    documentLength: length(own.document_length),
    expansion: expansionOf(own),
    skiplist: fromOwn(own.skiplist_words),
    prompts: { value: promptsOf(own) },
  });
}

function dimsOf(contents: FolderContents): Reading<number> {
  const dims = projectionOf(contents)?.dims;
  return dims === undefined ? { looked: ['modules.json', '1_Dense/config.json'] } : { value: dims };
}

/** Beyond its positions a model has no answer at all. */
function withinPositions(length: number, contents: FolderContents): number {
  return Math.min(length, positionsOf(contents) ?? length);
}

/** An empty prefix puts nothing in. */
function markerOf(prefix: string | null | undefined): Reading<string | null> {
  if (prefix == null) return { looked: [sentenceTransformersFile] };
  return { value: prefix === '' ? null : prefix };
}

function expansionOf(own: SentenceTransformersConfig): Reading<LateInteractionCard['expansion']> {
  if (own.do_query_expansion === false) return { value: null };
  if (own.attend_to_expansion_tokens == null) return { looked: [sentenceTransformersFile] };
  return { value: own.attend_to_expansion_tokens ? 'attended' : 'unattended' };
}
