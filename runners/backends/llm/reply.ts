import { z } from 'zod';
import { TenbinError } from '../../../core/errors.js';
import type { Wire } from './wire.js';

/** What every answer of a service tells of itself; null where it does not. */
export interface ReplyFacts {
  readonly content: string | null;
  readonly finishReason: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** The exact model that answered: a dated version of the one that was asked for. */
  readonly servedModel: string | null;
  readonly attempts: number;
}

const count = z.number().int().nonnegative();
export const replyHead = {
  model: z.string().max(500).nullish(),
  usage: z.object({ prompt_tokens: count.nullish(), completion_tokens: count.nullish() }).nullish(),
};
export const finishReason = z.string().max(100).nullish();

interface ReplyHead {
  readonly model?: string | null | undefined;
  readonly usage?:
    | { readonly prompt_tokens?: number | null | undefined; readonly completion_tokens?: number | null | undefined }
    | null
    | undefined;
}

export function headFacts({ model, usage }: ReplyHead): Omit<ReplyFacts, 'content' | 'finishReason' | 'attempts'> {
  return {
    promptTokens: usage?.prompt_tokens ?? null,
    completionTokens: usage?.completion_tokens ?? null,
    servedModel: model ?? null,
  };
}

/** The answer by its schema, or an error that names the field and quotes nothing of what stood there. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  { connection }: Wire,
): z.infer<Schema> {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  throw new TenbinError('malformed', {
    what: `${connection.service.title} answered in a form that cannot be used`,
    value: z.prettifyError(read.error).split('\n').slice(0, 2).join(' '),
    fix: 'Check that OPENAI_BASE_URL is an OpenAI-compatible service.',
  });
}
