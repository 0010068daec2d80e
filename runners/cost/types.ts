import type { Architecture } from '../models/card.js';

/** What is computed on top of the layers, and at how many positions. */
export type CostHead =
  | { readonly kind: 'none' }
  /** BERT's pooler: hidden × hidden at the first position. */
  | { readonly kind: 'pooler' }
  /** Labels at one position; `dense`: behind a pooler or a layer of its own, hidden × hidden. */
  | { readonly kind: 'classifier'; readonly labels: number; readonly dense: boolean }
  /** A masked language model's: hidden × hidden and hidden × vocabulary at every position (SPLADE). */
  | { readonly kind: 'masked-language-model' }
  /** hidden × vocabulary: at the last position, at all, or at those whose logits are read. */
  | { readonly kind: 'language-model'; readonly positions: 'last' | 'all' | 'read' }
  /** Two rows of the language model's head at the last position: yes and no. */
  | { readonly kind: 'two-words' }
  /** A linear layer, over each token (late interaction) or over one vector a text. */
  | { readonly kind: 'projection'; readonly dims: number; readonly over: 'tokens' | 'text' };

/** What the FLOPs of a model follow from: its layers and what is read of them. Plain data. */
export interface ModelCost {
  readonly architecture: Architecture;
  readonly head: CostHead;
}

/** One text (or pair) through a model. */
export interface PassTokens {
  /** Positions of an encoder or decoder; of an encoder-decoder those of its source. */
  readonly tokens: number;
  /** Positions of the decoder behind an encoder. */
  readonly decoderTokens?: number;
  /** Positions whose logits are read, for `positions: 'read'`. */
  readonly read?: number;
}

/** A matrix multiplication of a forward pass: 2 · batch · rows · inner · columns FLOPs, `count` times. */
export interface Matmul {
  /** `q_proj`, `scores_qk`, `enc.up`, `dec.cross.k_proj`, `lm_head`. */
  readonly name: string;
  readonly part: 'body' | 'head';
  /** [batch, rows, inner, columns]; null where a local window makes a band of it. */
  readonly shape: readonly [number, number, number, number] | null;
  readonly count: number;
  readonly flops: number;
}
