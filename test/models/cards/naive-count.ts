import type { ModelCard } from '../../../runners/models/card.js';

/**
 * Weights of a plain stack from its architecture alone, written down without looking at the product's counters: tables,
 * matrices, and biases where the kind of stack has them. Normalizations and heads are left out.
 */
export function naiveCount({ architecture, maxLength }: ModelCard, positionRows = Math.max(512, maxLength)): number {
  if (architecture === undefined) throw new Error('no architecture');
  const { hidden, heads, layers, feedForward, gated, vocabulary, kind } = architecture;
  const headSize = architecture.headSize ?? hidden / heads;
  const keyValueHeads = architecture.keyValueHeads ?? heads;
  let layer = 0;
  layer += hidden * heads * headSize * 2;
  layer += hidden * keyValueHeads * headSize * 2;
  layer += hidden * feedForward * (gated ? 3 : 2);
  if (!gated) layer += 4 * hidden + hidden + feedForward;
  const positions = kind === 'encoder' && !gated ? positionRows * hidden : 0;
  return vocabulary * hidden + positions + layers * layer;
}
