import { passFlops } from './cost/pass.js';
import type { PassTokens } from './cost/types.js';
import type { TokenFacts } from './open-model.js';
import type { PretrainedModel, Work } from './system.js';

/**
 * What one text (or pair) of a list cost a model: tokens, and FLOPs where its layers are known, for the tokens that it has
 * (`flops`) and for the other positions of its batch (`paddingFlops`). A width of 0 says that no graph ran: its tokens were looked
 * up in a table.
 */
export function modelWork({ cost }: PretrainedModel, facts: TokenFacts, text: number): Work {
  const tokens = facts.counts[text];
  if (facts.widths?.[text] === 0) return { tokens, flops: 0, lookUps: facts.lookUps?.[text] ?? tokens };
  if (cost === undefined) return { tokens };
  const needed = passFlops(
    cost,
    passOf(facts, facts.counts[text] - (facts.decoderCounts?.[text] ?? 0), 'decoderCounts', text),
  );
  if (facts.widths === undefined) return { tokens, flops: needed };
  const computed = passFlops(cost, passOf(facts, facts.widths[text], 'decoderWidths', text));
  return { tokens, flops: needed, paddingFlops: computed - needed };
}

function passOf(
  facts: TokenFacts,
  tokens: number,
  decoder: 'decoderCounts' | 'decoderWidths',
  text: number,
): PassTokens {
  const decoderTokens = facts[decoder]?.[text];
  const read = facts.predicted?.[text];
  return { tokens, ...(decoderTokens !== undefined && { decoderTokens }), ...(read !== undefined && { read }) };
}
