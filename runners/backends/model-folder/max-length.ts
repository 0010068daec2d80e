import { z } from 'zod';
import type { Reading } from './draft.js';
import type { FolderContents } from './folder-contents.js';
import { fieldsOf } from './json-file.js';
import { stackOf } from './stacks/index.js';

const sentenceBertSchema = z.object({ max_seq_length: z.number().int().min(1).max(10_000_000).nullish() });
const tokenizerSchema = z.object({ model_max_length: z.number().nullish() });
const positionsSchema = z.object({
  model_type: z.string().nullish(),
  max_position_embeddings: z.number().int().min(1).max(10_000_000).nullish(),
  pad_token_id: z.number().int().min(0).nullish(),
});

/** RoBERTa and its kin number positions from the padding id + 1 on, also where config.json is too short to be a stack. */
const fromPadding: ReadonlySet<string> = new Set([
  'roberta',
  'roberta-prelayernorm',
  'xlm-roberta',
  'xlm-roberta-xl',
  'camembert',
  'mpnet',
  'xmod',
  'longformer',
  'data2vec-text',
  'ibert',
  'luke',
]);

/** Tokenizers without a limit say 1e30. */
const absurd = 10_000_000;

/**
 * Tokens of one text, special ones included: the least of what the model's own files say of it, since each may be a
 * limit that another was written without. What tokenizer.json says of truncation and padding is how somebody once called
 * the tokenizer, and is never used.
 */
export function maxLengthOf(contents: FolderContents): Reading<number> {
  const said = [ownLength(contents), tokenizerLength(contents), positionsOf(contents)].filter(
    (length) => length !== null,
  );
  if (said.length > 0) return { value: Math.min(...said) };
  return { looked: ['sentence_bert_config.json', 'tokenizer_config.json', 'config.json'] };
}

function ownLength({ sentenceBert }: FolderContents): number | null {
  return sentenceBert === null ? null : (fieldsOf(sentenceBert, sentenceBertSchema).max_seq_length ?? null);
}

function tokenizerLength({ tokenizer }: FolderContents): number | null {
  const limit = tokenizer === null ? null : fieldsOf(tokenizer, tokenizerSchema).model_max_length;
  return limit != null && Number.isInteger(limit) && limit >= 1 && limit <= absurd ? limit : null;
}

/** Positions that a text can have, by config.json; null where it does not say, as where positions are relative. */
export function positionsOf({ config }: Pick<FolderContents, 'config'>): number | null {
  if (config === null) return null;
  const known = stackOf(config)?.positions;
  if (known !== undefined) return known;
  const { model_type: type, max_position_embeddings: rows, pad_token_id: padding } = fieldsOf(config, positionsSchema);
  if (rows == null) return null;
  return fromPadding.has(type ?? '') ? Math.max(1, rows - (padding ?? 1) - 1) : rows;
}
