import { z } from 'zod';
import type { Json } from '../../../core/canonical.js';
import { checked, finishReason, headFacts, type ReplyFacts, replyHead } from './reply.js';
import { post, type Wire } from './wire.js';

export interface ChatMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number;
  readonly seed: number;
  /** How many likely tokens to list at each position; null to ask for none. */
  readonly topLogprobs: number | null;
}

export interface TokenChance {
  readonly token: string;
  readonly logprob: number;
}

export interface ChatReply extends ReplyFacts {
  /** The likely tokens at each of the first positions; null where the service lists none. */
  readonly chances: readonly (readonly TokenChance[])[] | null;
}

/** One question to a chat model. Rejects with a TenbinError that holds no key. */
export type ChatTransport = (request: ChatRequest) => Promise<ChatReply>;

const chance = z.object({ token: z.string().max(1000), logprob: z.number() });
// A form of log-probabilities that is not OpenAI's counts as none: what needs them then says so.
const logprobs = z
  .object({ content: z.array(z.object({ top_logprobs: z.array(chance).max(100) })).max(100_000) })
  .nullish()
  .catch(null);
const schema = z.object({
  ...replyHead,
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish() }), finish_reason: finishReason, logprobs }))
    .max(100),
});

/** `/chat/completions` at temperature 0. An answer without a choice has no content. */
export function chatTransport(wire: Wire): ChatTransport {
  return async (request) => {
    const { json, attempts } = await post('/chat/completions', bodyOf(request), wire);
    const reply = checked(schema, json, wire);
    const choice = reply.choices.at(0);
    return {
      ...headFacts(reply),
      attempts,
      content: choice?.message.content ?? null,
      finishReason: choice?.finish_reason ?? null,
      chances: choice?.logprobs?.content.map(({ top_logprobs }) => top_logprobs) ?? null,
    };
  };
}

function bodyOf({ model, messages, maxTokens, seed, topLogprobs }: ChatRequest): Json {
  const listed = topLogprobs === null ? {} : { logprobs: true, top_logprobs: topLogprobs };
  const said = messages.map(({ role, content }) => ({ role, content }));
  return { model, messages: said, max_tokens: maxTokens, temperature: 0, seed, ...listed };
}
