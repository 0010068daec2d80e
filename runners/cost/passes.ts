import { causalPairs, decoderPairs, encoderPairs } from './layer.js';
import { clippedSquares, clippedTwice, triangle } from './sums.js';

/** Passes of one kind through a stack of layers, summed up. */
export interface Passes {
  readonly count: number;
  /** Positions that are computed, over all passes. */
  readonly positions: number;
  /** Positions of each pass and the keys that they see; null where the passes differ. */
  readonly each: { readonly rows: number; readonly keys: number } | null;
  /** Pairs of a query and a key in a layer, over all passes; `window` bounds the keys. */
  readonly pairs: (window?: number) => number;
  /** Those of them that the mask leaves. */
  readonly usefulPairs: (window?: number) => number;
  /** `both`: a window reaches to both sides, so what it leaves is a band. */
  readonly sight: 'both' | 'back';
}

export function encoderPass(tokens: number): Passes {
  const pairs = (window?: number) => encoderPairs(tokens, window);
  const each = { rows: tokens, keys: tokens };
  return { count: 1, positions: tokens, each, pairs, usefulPairs: pairs, sight: 'both' };
}

export function prefill(tokens: number): Passes {
  return {
    count: 1,
    positions: tokens,
    each: { rows: tokens, keys: tokens },
    pairs: (window) => decoderPairs(tokens, window),
    usefulPairs: (window) => causalPairs(tokens, 0, window),
    sight: 'back',
  };
}

/** `steps` further tokens after `past`, keys and values kept: one new position a pass. */
export function cachedSteps(past: number, steps: number): Passes {
  const pairs = (window?: number) => causalPairs(steps, past, window);
  const each = steps === 1 ? { rows: 1, keys: past + 1 } : null;
  return { count: steps, positions: steps, each, pairs, usefulPairs: pairs, sight: 'back' };
}

/** The same with nothing kept: each pass goes through the whole text again. */
export function wholeSteps(past: number, steps: number): Passes {
  const last = past + steps;
  const each = steps === 1 ? { rows: last, keys: last } : null;
  return {
    count: steps,
    positions: triangle(last) - triangle(past),
    each,
    pairs: (window = Number.POSITIVE_INFINITY) => clippedSquares(last, window) - clippedSquares(past, window),
    usefulPairs: (window = Number.POSITIVE_INFINITY) => clippedTwice(last, window) - clippedTwice(past, window),
    sight: 'back',
  };
}
