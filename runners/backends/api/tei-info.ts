import { z } from 'zod';
import { printable, TenbinError } from '../../../core/errors.js';
import { parsedAnswer } from './answers.js';
import { withoutKey } from './keys.js';

/** What GET /info of Text Embeddings Inference says of its one model; texts are fit to be shown. */
export interface TeiInfo {
  readonly family: 'dense' | 'sparse' | 'reranker';
  readonly modelId: string;
  /** Commit of the model's repository; null for a folder. */
  readonly modelSha: string | null;
  readonly dtype: string | null;
  readonly version: string | null;
  /** Tokens of one text. */
  readonly maxLength: number | null;
  /** Texts of one request. */
  readonly maxBatch: number;
  /** Of an embedding model: `mean`, `cls`, `splade`. */
  readonly pooling: string | null;
}

const whole = z.number().int().positive();
const infoSchema = z.object({
  model_id: z.string().min(1).max(1000),
  model_sha: z.string().max(200).nullish(),
  model_dtype: z.string().max(100).nullish(),
  model_type: z.object({
    embedding: z.object({ pooling: z.string().max(100) }).optional(),
    reranker: z.unknown().optional(),
    classifier: z.unknown().optional(),
  }),
  max_input_length: whole.nullish(),
  // Its default, for a server that does not say.
  max_client_batch_size: whole.default(32),
  version: z.string().max(100).nullish(),
});

/** A model that neither embeds nor reranks is refused. What the server says is shown, so the key is taken out of it. */
export function readInfo(
  json: unknown,
  { title, key }: { readonly title: string; readonly key: string | null },
): TeiInfo {
  const info = parsedAnswer(infoSchema, json, title);
  const { embedding, reranker } = info.model_type;
  const shown = (text: string) => printable(withoutKey(text, key));
  const optional = (text: string | null | undefined) => (text === null || text === undefined ? null : shown(text));
  const pooling = optional(embedding?.pooling)?.toLowerCase() ?? null;
  if (pooling === null && reranker === undefined) {
    throw new TenbinError('refused', {
      what: `${title} serves a model that neither embeds nor reranks`,
      value: shown(info.model_id),
      fix: 'Start it with an embedding model, a SPLADE model (`--pooling splade`) or a reranker.',
    });
  }
  return {
    family: pooling === null ? 'reranker' : pooling === 'splade' ? 'sparse' : 'dense',
    modelId: shown(info.model_id),
    modelSha: optional(info.model_sha),
    dtype: optional(info.model_dtype),
    version: optional(info.version),
    maxLength: info.max_input_length ?? null,
    maxBatch: info.max_client_batch_size,
    pooling,
  };
}
