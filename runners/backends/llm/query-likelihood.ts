import type { EchoReply } from './completion.js';
import type { Reading } from './reading.js';

/**
 * The mean log-probability of the query's tokens, found from the end of the prompt: counted from the front, the special
 * tokens that servers put before it would shift them. Without log-probabilities the passage comes last.
 */
export function readLikelihood(reply: EchoReply, query: string): Reading<number> {
  const tokens = reply.tokens ?? [];
  const ends = tokens.map(({ offset, text }, i) => tokens.at(i + 1)?.offset ?? offset + lengthOf(text));
  const promptTokens = Math.max(0, tokens.length - (reply.completionTokens ?? 1));
  const start = (promptTokens === 0 ? 0 : ends[promptTokens - 1]) - lengthOf(query);
  const within = tokens.slice(0, promptTokens).filter((_, i) => ends[i] > start);
  const known = within.flatMap(({ logprob }) => (logprob === null ? [] : [logprob]));
  if (known.length === 0) return { value: -Infinity, outcome: 'malformed' };
  const value = known.reduce((sum, logprob) => sum + logprob, 0) / known.length;
  // Tokens that are a part of a character are printed as another one: the count is then near, not exact.
  const exact = known.length === within.length && within.map(({ text }) => text).join('') === query;
  return { value, outcome: exact ? 'clean' : 'repaired' };
}

const lengthOf = (text: string) => [...text].length;
