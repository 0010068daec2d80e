import { z } from 'zod';
import type { ModelCard } from '../../models/card.js';
import { isOpen, type Reading } from './draft.js';
import type { FolderContents, Module } from './folder-contents.js';
import { fieldsOf } from './json-file.js';
import { strangersIn, understood } from './module-types.js';
import { sentenceTransformersFile, sentenceTransformersOf } from './sentence-transformers.js';

export type FolderFamily = ModelCard['family'];

const schema = z.object({ architectures: z.array(z.string().max(200)).max(10).nullish() });

/** The first class that config.json names; empty where it names none. */
export function architectureName(contents: FolderContents): string {
  if (contents.config === null) return '';
  return fieldsOf(contents.config, schema).architectures?.[0] ?? '';
}

/** What kind of retrieval model a folder holds: its modules tell, else the class that config.json names. */
export function familyOf(contents: FolderContents): Reading<FolderFamily> {
  const own = sentenceTransformersOf(contents);
  const name = architectureName(contents);
  if (own.model_type === 'CrossEncoder') return byArchitecture(name, own.query_length);
  if (own.model_type === 'SparseEncoder') return { value: 'sparse' };
  if (contents.modules === null) return byArchitecture(name, own.query_length);
  if (has(contents.modules, 'SpladePooling')) return { value: 'sparse' };
  if (has(contents.modules, 'Pooling')) return { value: 'dense' };
  const late = contents.modules.some(({ pylate }) => pylate) || own.query_length != null || own.query_prefix != null;
  if (late && has(contents.modules, 'Dense')) return { value: 'late-interaction' };
  const family = byArchitecture(name, own.query_length);
  return isOpen(family) ? (strangersIn(contents, Object.values(understood).flat()) ?? family) : family;
}

function byArchitecture(name: string, queryLength: number | null | undefined): Reading<FolderFamily> {
  if (/ForSequenceClassification$|ForCausalLM$|ForConditionalGeneration$/.test(name)) return { value: 'reranker' };
  if (queryLength != null) return { value: 'late-interaction' };
  const looked = ['modules.json', sentenceTransformersFile, 'config.json'];
  if (!/ForMaskedLM$/.test(name)) return { looked };
  return { looked, reason: 'a masked language model may be a sparse model or only what others are trained from' };
}

export function has(modules: readonly Module[], type: string): boolean {
  return modules.some((module) => module.type === type);
}
