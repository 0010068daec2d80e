import type { Architecture } from '../models/card.js';
import type { Schedule } from '../schedules/schedule.js';
import type { QueryTokens } from './eer.js';
import type { PaperCell } from './paper-table2.js';
import type { CallCounts } from './rerank-calls.js';
import { meanPromptFlops, promptFlops } from './rerank-flops.js';
import { promptTokens, type TextTokens } from './rerank-prompts.js';

/** What reranking the list of one query takes, a mean over the orders that were tried. */
export interface ScheduleCost extends QueryTokens {
  /** A whole number where one order was tried; exact to 16 digits. */
  readonly flops: number;
}

/** Every prompt is counted with the passages that it really shows: the last windows and sets of a list are smaller. */
export function scheduleCost(
  architecture: Architecture,
  schedule: Schedule,
  { mean, orders, bySize }: CallCounts,
  texts: TextTokens,
): ScheduleCost {
  const sizes = [...bySize].map(([passages, prompts]) => ({
    prompts,
    tokens: promptTokens(schedule.question, passages, texts),
  }));
  const meanOf = (each: (tokens: (typeof sizes)[number]['tokens']) => number) =>
    sizes.reduce((sum, { prompts, tokens }) => sum + prompts * each(tokens), 0) / orders;
  return {
    calls: mean,
    inputTokens: meanOf(({ input }) => input),
    outputTokens: meanOf(({ output }) => output),
    flops: meanOf((tokens) => promptFlops(architecture, schedule.question, tokens)),
  };
}

/**
 * FLOPs of a query as we count them, with the calls and tokens of a published table. A call of its pairwise sorts is two
 * prompts whose tokens it adds up; a query's likelihood needs the query's length, which no table has.
 */
export function flopsOfPaperCell(
  architecture: Architecture,
  { id, question }: Pick<Schedule, 'id' | 'question'>,
  { tokens }: Pick<PaperCell, 'tokens'>,
  queryTokens: number,
): number {
  const prompts = tokens.calls * (question === 'pair' && id !== 'pairwise.allpair' ? 2 : 1);
  const read = tokens.inputTokens / prompts;
  // The table's prompt tokens of an encoder-decoder are those of its encoder, and the query goes to the decoder.
  const apart = question === 'query-likelihood' && architecture.kind === 'encoder-decoder' ? queryTokens : 0;
  const mean = { input: read + apart, query: queryTokens, output: tokens.outputTokens / prompts };
  return prompts * meanPromptFlops(architecture, question, mean);
}
