import { z } from 'zod';
import type { Prompts } from '../../models/card.js';
import type { FolderContents } from './folder-contents.js';
import { fieldsOf } from './json-file.js';

const words = z.array(z.string().max(200)).max(10_000);

const schema = z.object({
  model_type: z.string().nullish(),
  prompts: z.record(z.string().max(200), z.string().max(20_000).nullable()).nullish(),
  default_prompt_name: z.string().nullish(),
  similarity_fn_name: z.string().nullish(),
  matryoshka_dims: z.array(z.number().int().min(1)).max(100).nullish(),
  query_prefix: z.string().max(200).nullish(),
  document_prefix: z.string().max(200).nullish(),
  query_length: z.number().int().min(1).max(1_000_000).nullish(),
  document_length: z.number().int().min(1).max(1_000_000).nullish(),
  attend_to_expansion_tokens: z.boolean().nullish(),
  do_query_expansion: z.boolean().nullish(),
  skiplist_words: words.nullish(),
});
export type SentenceTransformersConfig = z.output<typeof schema>;

export const sentenceTransformersFile = 'config_sentence_transformers.json';

/** The fields of config_sentence_transformers.json; none of them where the file is missing. */
export function sentenceTransformersOf(contents: FolderContents): SentenceTransformersConfig {
  return contents.sentenceTransformers === null ? {} : fieldsOf(contents.sentenceTransformers, schema);
}

/** As encode_query and encode_document choose them: by name, else the default prompt, else none. */
export function promptsOf(config: SentenceTransformersConfig): Prompts {
  const prompts = new Map(Object.entries(config.prompts ?? {}));
  const byDefault = prompts.get(config.default_prompt_name ?? '');
  const first = (...names: readonly string[]) =>
    names.map((name) => prompts.get(name)).find((prompt) => typeof prompt === 'string') ?? byDefault ?? '';
  return { query: first('query'), document: first('document', 'passage', 'corpus') };
}
