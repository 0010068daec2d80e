import type { Architecture } from '../models/card.js';
import { clipped } from './sums.js';

/** FLOPs of the parts of one layer: 1 multiply-add is 2, matrix multiplications only (metrics.md §D.1). */

/** Width of queries and of the attention's output. It need not be the hidden size: Qwen3-0.6B has 2048 over 1024. */
export function attentionWidth(of: Architecture): number {
  return of.heads * headSizeOf(of);
}

/** Width of keys and values: grouped queries share them. */
export function keyValueWidth(of: Architecture): number {
  return (of.keyValueHeads ?? of.heads) * headSizeOf(of);
}

export function headSizeOf(of: Architecture): number {
  return of.headSize ?? Math.floor(of.hidden / of.heads);
}

/** Queries, keys, values and output of one position. */
export function projectionFlops(of: Architecture): number {
  return 2 * of.hidden * (2 * attentionWidth(of) + 2 * keyValueWidth(of));
}

/** Feed-forward of one position in all `layers`: those of a mixture and its plain ones are not alike. */
export function feedForwardFlops(of: Architecture, layers: number): number {
  const matrices = of.gated ? 3 : 2;
  if (of.experts === undefined) return layers * matrices * 2 * of.hidden * of.feedForward;
  const plain = of.denseLayers ?? 0;
  const shared = (of.sharedExperts ?? 0) * (of.sharedFeedForward ?? of.feedForward);
  const width = (of.activeExperts ?? 1) * of.feedForward + shared;
  const choosing = 2 * of.hidden * (of.experts + (of.sharedGate === true ? 1 : 0));
  return (
    (layers - plain) * (choosing + matrices * 2 * of.hidden * width) +
    plain * matrices * 2 * of.hidden * (of.denseFeedForward ?? of.feedForward)
  );
}

/** Pairs of positions that see each other in a layer of an encoder; a window reaches to both sides. */
export function encoderPairs(tokens: number, window = Number.POSITIVE_INFINITY): number {
  const reach = Math.floor(window / 2);
  return tokens - 1 <= reach ? tokens * tokens : tokens + 2 * clipped(tokens - 1, reach);
}

/** The same in a layer of a decoder, as dense kernels compute it: each position against all keys of the window. */
export function decoderPairs(tokens: number, window = Number.POSITIVE_INFINITY): number {
  return tokens * Math.min(tokens, window);
}

/** Those that a causal mask leaves, of `tokens` positions behind `past` others whose keys are kept. */
export function causalPairs(tokens: number, past: number, window = Number.POSITIVE_INFINITY): number {
  return clipped(past + tokens, window) - clipped(past, window);
}

/** Layers with all tokens in sight, and with a window. */
export function layersOf(of: Architecture): { readonly global: number; readonly local: number } {
  const local = of.window === undefined ? 0 : (of.localLayers ?? 0);
  return { global: of.layers - local, local };
}

/**
 * DeBERTa's disentangled attention (arXiv 2006.03654, §3.2): the table of relative positions goes through the projections
 * of queries and keys in every layer, and every query and key is multiplied with all its rows.
 */
export function relativeFlops(of: Architecture, tokens: number): number {
  if (of.relativePositions === undefined) return 0;
  return of.layers * 4 * of.relativePositions * attentionWidth(of) * (of.hidden + tokens);
}
