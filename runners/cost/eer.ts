import type { Architecture } from '../models/card.js';

/** What a query costs in prompts, as tables of LLM rerankers have it: means over queries, whole tokens or not. */
export interface QueryTokens {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * FLOPs of one query by the estimator of arXiv 2507.06223 (v2), kept as its code computes it, errors included
 * (docs/flops-compare.md lists them): it is there to read that paper's tables, and ours is `promptFlops`. Every prompt is
 * taken to have the mean length. Not a whole number, since the lengths are none.
 */
export function eerFlops(of: Architecture, { calls, inputTokens, outputTokens }: QueryTokens): number {
  if (calls === 0) return 0;
  const [input, output] = [inputTokens / calls, outputTokens / calls];
  return calls * (of.kind === 'encoder-decoder' ? encoderDecoder(of, input, output) : decoder(of, input, output));
}

/** C(ctx) + C(opt): 2 N n + 4 L n² d r, and 2 N o + 2 L d r (2 o n + o (o - 1)). */
function decoder(of: Architecture, input: number, output: number): number {
  const share = sharedKeys(of);
  const weights = of.layers * layerWeights(of, 1 + share);
  const context = 2 * weights * input + 4 * of.layers * input * input * of.hidden * share;
  return context + answer(of, { weights, layers: of.layers, input, output });
}

/** The encoder reads, the decoder writes; the keys and values of cross-attention are counted once, answer or none. */
function encoderDecoder(of: Architecture, input: number, output: number): number {
  const layers = of.decoderLayers ?? of.layers;
  const reading = 2 * of.layers * layerWeights(of, 2) * input + 4 * of.layers * input * input * of.hidden;
  const crossing = 4 * layers * input * of.hidden * of.hidden;
  return reading + crossing + answer(of, { weights: layers * layerWeights(of, 3), layers, input, output });
}

/** The `o` tokens of the answer, each with a pass of its own. Without any, no pass at all. */
function answer(
  of: Architecture,
  { weights, layers, input, output }: Readonly<Record<'weights' | 'layers' | 'input' | 'output', number>>,
): number {
  const pairs = 2 * output * input + output * (output - 1);
  return 2 * weights * output + 2 * layers * of.hidden * sharedKeys(of) * pairs;
}

/** Twice the hidden size times (attention matrices + one inner width): the estimator has two feed-forward matrices. */
function layerWeights(of: Architecture, attentionMatrices: number): number {
  return 2 * of.hidden * (attentionMatrices * of.hidden + innerWidth(of));
}

/** d_ff; of a mixture that of all experts which run. */
function innerWidth(of: Architecture): number {
  if (of.experts === undefined) return of.feedForward;
  return (of.activeExperts ?? 1) * of.feedForward + (of.sharedExperts ?? 0) * (of.sharedFeedForward ?? of.feedForward);
}

/** n_KV / n_Q */
function sharedKeys(of: Architecture): number {
  return (of.keyValueHeads ?? of.heads) / of.heads;
}
