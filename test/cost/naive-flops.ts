import type { Architecture } from '../../runners/models/card.js';

/**
 * FLOPs of the layers written down without looking at the product: loops over layers and positions, one multiply-add
 * counted as two. `useful` leaves out what a causal mask hides.
 */
export interface NaiveRequest {
  readonly architecture: Architecture;
  readonly tokens: number;
  readonly past?: number;
}

export function naiveBody({ architecture: of, tokens, past = 0 }: NaiveRequest): { dense: number; useful: number } {
  const size = of.headSize ?? Math.floor(of.hidden / of.heads);
  let dense = 0;
  let useful = 0;
  for (let layer = 0; layer < of.layers; layer++) {
    const window = of.window !== undefined && layer < (of.localLayers ?? 0) ? of.window : null;
    for (let i = 0; i < tokens; i++) {
      const linear = projections(of, size) + feedForward(of, layer < (of.denseLayers ?? 0) && of.experts !== undefined);
      dense += linear;
      useful += linear;
      const seen = keysOf(of.kind, { i, tokens, past, window });
      for (let head = 0; head < of.heads; head++) {
        dense += 2 * 2 * size * seen.dense;
        useful += 2 * 2 * size * seen.useful;
      }
    }
  }
  return { dense, useful };
}

function projections(of: Architecture, size: number): number {
  let flops = 0;
  for (let head = 0; head < of.heads; head++) flops += 2 * of.hidden * size * 2;
  for (let head = 0; head < (of.keyValueHeads ?? of.heads); head++) flops += 2 * of.hidden * size * 2;
  return flops;
}

function feedForward(of: Architecture, plain: boolean): number {
  const matrices = of.gated ? 3 : 2;
  if (of.experts === undefined) return matrices * 2 * of.hidden * of.feedForward;
  if (plain) return matrices * 2 * of.hidden * (of.denseFeedForward ?? of.feedForward);
  let flops = 2 * of.hidden * of.experts;
  for (let expert = 0; expert < (of.activeExperts ?? 1); expert++) flops += matrices * 2 * of.hidden * of.feedForward;
  for (let expert = 0; expert < (of.sharedExperts ?? 0); expert++)
    flops += matrices * 2 * of.hidden * (of.sharedFeedForward ?? of.feedForward);
  if (of.sharedGate === true) flops += 2 * of.hidden;
  return flops;
}

interface Position {
  readonly i: number;
  readonly tokens: number;
  readonly past: number;
  readonly window: number | null;
}

/** Keys that a position is multiplied with, and those that it may see. */
function keysOf(kind: Architecture['kind'], { i, tokens, past, window }: Position): { dense: number; useful: number } {
  let dense = 0;
  let useful = 0;
  for (let j = 0; j < past + tokens; j++) {
    if (kind === 'encoder') {
      if (window === null || Math.abs(i - j) <= Math.floor(window / 2)) dense++;
      continue;
    }
    // Dense kernels hold as many keys as the window has, whichever these are.
    if (window === null || j < window) dense++;
    if (j <= past + i && (window === null || past + i - j < window)) useful++;
  }
  return { dense, useful: kind === 'encoder' ? dense : useful };
}
