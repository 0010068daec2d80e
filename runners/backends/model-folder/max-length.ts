import { z } from 'zod';
import type { Reading } from './draft.js';
import type { FolderContents } from './folder-contents.js';
import { fieldsOf } from './json-file.js';
import { stackOf } from './stacks/index.js';

const sentenceBert = z.object({ max_seq_length: z.number().int().min(1).max(10_000_000).nullish() });
const tokenizer = z.object({ model_max_length: z.number().nullish() });
const positions = z.object({ max_position_embeddings: z.number().int().min(1).max(10_000_000).nullish() });

/** Tokenizers without a limit say 1e30. */
const absurd = 10_000_000;

/**
 * Tokens of one text, special ones included: what the model's own files say of it, the most specific first. What
 * tokenizer.json says of truncation and padding is how somebody once called the tokenizer, and is never used.
 */
export function maxLengthOf(contents: FolderContents): Reading<number> {
  const said = saidOf(contents);
  if (said !== null) return { value: said };
  return { looked: ['sentence_bert_config.json', 'tokenizer_config.json', 'config.json'] };
}

function saidOf({ sentenceBert: own, tokenizer: tokens, config }: FolderContents): number | null {
  const chosen = own === null ? null : fieldsOf(own, sentenceBert).max_seq_length;
  if (chosen != null) return chosen;
  const limit = tokens === null ? null : fieldsOf(tokens, tokenizer).model_max_length;
  if (limit != null && Number.isInteger(limit) && limit >= 1 && limit <= absurd) return limit;
  const known = stackOf(config)?.positions;
  if (known !== undefined) return known;
  return (config === null ? null : fieldsOf(config, positions).max_position_embeddings) ?? null;
}
