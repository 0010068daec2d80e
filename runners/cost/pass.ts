import { TenbinError } from '../../core/errors.js';
import type { Architecture } from '../models/card.js';
import { exact } from './exact.js';
import { headFlops } from './head.js';
import {
  attentionWidth,
  decoderPairs,
  encoderPairs,
  feedForwardFlops,
  layersOf,
  projectionFlops,
  relativeFlops,
} from './layer.js';
import type { ModelCost, PassTokens } from './types.js';

/**
 * FLOPs of one text (or pair) through a model, body and head, exact: the closed forms of metrics.md §D.1, in a time that
 * depends neither on layers nor on tokens. Attention is counted dense. No tokens, no pass: 0. Beyond 2^53 it is an error.
 */
export function passFlops({ architecture, head }: ModelCost, pass: PassTokens): number {
  const { tokens, decoderTokens = 1, read } = pass;
  if (!isLength(tokens) || !isLength(decoderTokens)) throw notWhole(tokens, decoderTokens);
  if (tokens === 0) return 0;
  const both = architecture.kind === 'encoder-decoder';
  const body = stackFlops(architecture, tokens) + (both ? decoderFlops(architecture, tokens, decoderTokens) : 0);
  const { hidden, vocabulary } = architecture;
  const positions = both ? decoderTokens : tokens;
  const top = headFlops(head, { hidden, vocabulary, positions, ...(read !== undefined && { read }) });
  return exact('FLOPs of a forward pass', body + top);
}

/** The layers of an encoder or decoder over a text from its beginning. */
function stackFlops(of: Architecture, tokens: number): number {
  const { global, local } = layersOf(of);
  const pairs =
    of.kind === 'decoder'
      ? global * decoderPairs(tokens) + local * decoderPairs(tokens, of.window)
      : global * encoderPairs(tokens) + local * encoderPairs(tokens, of.window);
  const linear = of.layers * projectionFlops(of) + feedForwardFlops(of, of.layers);
  return tokens * linear + 4 * attentionWidth(of) * pairs + relativeFlops(of, tokens);
}

/** The decoder behind an encoder: attention to itself, and to the source, whose keys and values are projected once. */
function decoderFlops(of: Architecture, source: number, positions: number): number {
  const layers = of.decoderLayers ?? of.layers;
  const width = attentionWidth(of);
  const linear = layers * (projectionFlops(of) + 4 * of.hidden * width) + feedForwardFlops(of, layers);
  const keysAndValues = 4 * of.hidden * width * source;
  return positions * linear + layers * (keysAndValues + 4 * width * positions * (positions + source));
}

function isLength(tokens: number): boolean {
  return Number.isSafeInteger(tokens) && tokens >= 0;
}

function notWhole(tokens: number, decoderTokens: number): TenbinError {
  return new TenbinError('malformed', {
    what: 'The length of a text is a whole number of tokens',
    value: `${tokens}, decoder ${decoderTokens}`,
    fix: 'Take the counts that the tokenizer gives.',
  });
}
