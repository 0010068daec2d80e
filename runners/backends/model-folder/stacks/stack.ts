import type { Architecture, ParameterCounts } from '../../../models/card.js';

/** What is computed on top of the layers; its weights are counted with the model's. */
export type Head =
  | { readonly kind: 'none' }
  /** Logits over the vocabulary. */
  | { readonly kind: 'vocabulary' }
  | { readonly kind: 'classifier'; readonly labels: number }
  /** A linear layer over each token, without bias unless it says so. */
  | { readonly kind: 'projection'; readonly dims: number; readonly bias: boolean };

/** The layers of a transformer as its config.json describes them: FLOPs follow from these. */
export interface Layers {
  readonly architecture: Architecture;
  /** Most positions that it was trained for; absent where positions are relative, or nobody says. */
  readonly positions?: number;
  /** Which layers see a window only, and which have a plain feed-forward network in a mixture; by their number from 0. */
  readonly localAt?: readonly number[];
  readonly denseAt?: readonly number[];
}

/** The same with its weights counted. */
export interface Stack extends Layers {
  /** Weights of the input embedding table alone, and of everything below the head besides that table. */
  readonly embedding: number;
  readonly body: number;
  /** Those of `body` that one token is multiplied with, where a router chooses: the other experts are left out. */
  readonly activeBody?: number;
  /** Weights of a head, without those of the input embedding where it uses that table again. */
  readonly head: (head: Head) => number;
  /** Whether logits over the vocabulary are taken with the input embedding table. */
  readonly tied: boolean;
}

/**
 * Weights as the graph computes them: a pooler that nothing reads is not counted, a shared table counts once. Active are
 * those that one token is multiplied with: the input embedding is a look-up, unless the head uses the table again.
 */
export function countParameters(stack: Stack, head: Head): ParameterCounts {
  const total = stack.embedding + stack.body + stack.head(head);
  const tableUsed = head.kind === 'vocabulary' && stack.tied;
  const used = total - (stack.body - (stack.activeBody ?? stack.body));
  return { total, active: tableUsed ? used : used - stack.embedding, embedding: stack.embedding };
}

/** Weights of a linear layer. */
export function linear(from: number, to: number, bias: 'bias' | 'plain'): number {
  return from * to + (bias === 'bias' ? to : 0);
}

export function projection(hidden: number, head: { readonly dims: number; readonly bias: boolean }): number {
  return linear(hidden, head.dims, head.bias ? 'bias' : 'plain');
}
