import { z } from 'zod';
import { checked, finishReason, headFacts, type ReplyFacts, replyHead } from './reply.js';
import { post, type Wire } from './wire.js';

/** A text whose own tokens are to be scored. */
export interface EchoRequest {
  readonly model: string;
  readonly prompt: string;
  readonly seed: number;
}

export interface EchoToken {
  readonly text: string;
  /** Null for the first token of the prompt, which follows nothing. */
  readonly logprob: number | null;
  /** Where the token starts, in code points, as the service counts; special tokens may shift all of them. */
  readonly offset: number;
}

export interface EchoReply extends ReplyFacts {
  /** Tokens of the prompt and then of the answer; null where the service does not give them. */
  readonly tokens: readonly EchoToken[] | null;
}

export type EchoTransport = (request: EchoRequest) => Promise<EchoReply>;

const many = 1_000_000;
const logprobs = z
  .object({
    tokens: z.array(z.string()).max(many),
    token_logprobs: z.array(z.number().nullable()).max(many),
    text_offset: z.array(z.number().int().nonnegative()).max(many),
  })
  .refine(({ tokens, token_logprobs, text_offset }) => {
    return tokens.length === token_logprobs.length && tokens.length === text_offset.length;
  })
  .nullish()
  .catch(null);
const schema = z.object({
  ...replyHead,
  choices: z.array(z.object({ finish_reason: finishReason, logprobs })).max(100),
});

/**
 * `/completions` with `echo`: the one form in which OpenAI-compatible servers (vLLM, llama-cpp-python) give the
 * log-probabilities of a prompt. One token is generated, because some servers refuse zero.
 */
export function echoTransport(wire: Wire): EchoTransport {
  return async ({ model, prompt, seed }) => {
    const body = { model, prompt, echo: true, logprobs: 1, max_tokens: 1, temperature: 0, seed };
    const { json, attempts } = await post('/completions', body, wire);
    const reply = checked(schema, json, wire);
    const choice = reply.choices.at(0);
    const listed = choice?.logprobs ?? null;
    return {
      ...headFacts(reply),
      attempts,
      content: null,
      finishReason: choice?.finish_reason ?? null,
      tokens:
        listed?.tokens.map((text, i) => ({
          text,
          logprob: listed.token_logprobs[i],
          offset: listed.text_offset[i],
        })) ?? null,
    };
  };
}
