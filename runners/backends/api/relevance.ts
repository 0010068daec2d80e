import { z } from 'zod';
import { byIndex, parsedAnswer, type Reading, tokenCount } from './answers.js';
import { finiteScore } from './rows.js';
import type { RerankApi } from './scorer.js';

/** Cohere advises at most 1000 documents in a request; the tokens keep its body near 3 MB. */
export const rerankLimits = { inputs: 1000, tokens: 1_000_000 };

/** What Cohere, Jina and servers like theirs answer to /rerank: an index and a score for each document, best first. */
const answerSchema = z.object({
  results: z.array(z.object({ index: z.number(), relevance_score: z.unknown().optional() })),
  usage: z.object({ prompt_tokens: tokenCount, total_tokens: tokenCount }).nullish().catch(null),
  meta: z
    .object({
      billed_units: z.object({ search_units: z.number().nonnegative().optional().catch(undefined) }).nullish(),
      tokens: z.object({ input_tokens: tokenCount }).nullish(),
    })
    .nullish()
    .catch(null),
});

export const readRelevance: RerankApi['read'] = ({ json }, reading) => {
  const { results, usage, meta } = parsedAnswer(answerSchema, json, reading.title);
  return {
    scores: scoresOf(results, reading),
    usage: {
      promptTokens: usage?.total_tokens ?? usage?.prompt_tokens ?? meta?.tokens?.input_tokens ?? null,
      searchUnits: meta?.billed_units?.search_units ?? null,
    },
  };
};

/** Checked by index first, so that a score that is missing is named as missing. */
function scoresOf(
  results: readonly { readonly index: number; readonly relevance_score?: unknown }[],
  reading: Reading,
): readonly number[] {
  return byIndex(results, reading).map(({ relevance_score: score }, i) => finiteScore(score, reading, i));
}
