import { TenbinError } from '../../core/errors.js';
import type { Architecture } from '../models/card.js';
import type { Question } from '../schedules/schedule.js';
import { forwardFlops } from './forward.js';
import { passFlops } from './pass.js';
import type { PromptTokens } from './rerank-prompts.js';
import type { CostHead } from './types.js';

/**
 * FLOPs of one prompt, exact, with keys and values kept while an answer is generated. Yes or no is two rows of the
 * vocabulary at one position, an order by likelihood all of them; a query's likelihood reads its own positions.
 */
export function promptFlops(architecture: Architecture, question: Question, tokens: PromptTokens): number {
  const { input, output } = tokens;
  switch (question) {
    case 'relevance':
      return passFlops({ architecture, head: { kind: 'two-words' } }, { tokens: input });
    case 'list-likelihood':
      return passFlops({ architecture, head: lastLogits }, { tokens: input });
    case 'query-likelihood':
      return likelihoodFlops(architecture, tokens);
    case 'pair':
    case 'set':
    case 'list':
      return generationFlops(architecture, input, output);
  }
}

const lastLogits: CostHead = { kind: 'language-model', positions: 'last' };

/** An encoder-decoder reads the passage with its encoder, and the query is put through its decoder in one pass. */
function likelihoodFlops(architecture: Architecture, { input, query }: PromptTokens): number {
  const head: CostHead = { kind: 'language-model', positions: 'read' };
  const both = architecture.kind === 'encoder-decoder';
  const pass = both ? { tokens: input - query, decoderTokens: query } : { tokens: input };
  return passFlops({ architecture, head }, { ...pass, read: query });
}

/** The decoder behind an encoder starts from one token. */
function generationFlops(architecture: Architecture, input: number, output: number): number {
  const lengths = architecture.kind === 'encoder-decoder' ? { tokens: 1, sourceTokens: input } : { tokens: input };
  return forwardFlops({ architecture, head: lastLogits, ...lengths, generate: output }).total;
}

/**
 * The same at mean lengths, which are no whole numbers: between the whole ones around them, weighted so that input and
 * output come out right. Attention grows with the square, so prompts of unequal lengths cost somewhat more.
 */
export function meanPromptFlops(architecture: Architecture, question: Question, mean: PromptTokens): number {
  const flopsAt = (input: number, output: number) => promptFlops(architecture, question, { ...mean, input, output });
  return between(mean.input, (input) => between(mean.output, (output) => flopsAt(input, output)));
}

function between(mean: number, valueAt: (whole: number) => number): number {
  const low = Math.floor(mean);
  const share = mean - low;
  return share === 0 ? valueAt(low) : (1 - share) * valueAt(low) + share * valueAt(low + 1);
}

/** Schedules ask questions, which a model without a head for words cannot answer. */
export function checkAnswers(model: string, { kind }: Architecture): void {
  if (kind !== 'encoder') return;
  throw new TenbinError('usage', {
    what: 'An encoder answers no questions, and rerank schedules ask them',
    value: model,
    fix: 'Give a decoder or an encoder-decoder; `tenbin flops --model … --tokens N` counts one pass of a cross-encoder.',
  });
}
