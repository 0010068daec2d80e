import { TenbinError } from '../../../core/errors.js';
import type { TensorFacts } from './job.js';
import type { Padded } from './padding.js';
import type { OrtModule, Tensor } from './runtime.js';

/** What feeds are made of, besides the graph's own list of inputs. */
export interface FeedSource {
  readonly tokens: Padded;
  /** States and mask of the encoder, for decoders. */
  readonly encoder: { readonly states: Tensor; readonly mask: Padded } | null;
}

export type Feeds = Record<string, Tensor>;

/** A tensor for every input that the graph names; one that we know nothing of is an error that says its name. */
export function feedsOf(ort: OrtModule, inputs: readonly TensorFacts[], source: FeedSource): Feeds {
  return Object.fromEntries(inputs.map((input) => [input.name, feedOf(ort, input, source)]));
}

function feedOf(ort: OrtModule, input: TensorFacts, { tokens, encoder }: FeedSource): Tensor {
  const dims = [tokens.rows, tokens.width];
  switch (input.name) {
    case 'input_ids':
    case 'decoder_input_ids':
      return integers(ort, input, tokens.ids, dims);
    case 'attention_mask':
    case 'decoder_attention_mask':
      return integers(ort, input, tokens.mask, dims);
    case 'token_type_ids':
      return integers(ort, input, tokens.typeIds, dims);
    case 'position_ids':
      return integers(ort, input, positionsOf(tokens), dims);
    case 'use_cache_branch':
      return new ort.Tensor('bool', new Uint8Array(1), [1]);
  }
  if (encoder !== null && input.name === 'encoder_hidden_states') return encoder.states;
  if (encoder !== null && input.name === 'encoder_attention_mask') {
    return integers(ort, input, encoder.mask.mask, [encoder.mask.rows, encoder.mask.width]);
  }
  if (/^past_key_values\./.test(input.name)) return emptyCache(ort, input, tokens.rows);
  throw unknownInput(input);
}

/** 0, 1, 2 … over attended tokens; padding repeats the last. */
function positionsOf({ rows, width, mask }: Padded): Int32Array {
  const out = new Int32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    let position = -1;
    for (let i = row * width; i < (row + 1) * width; i++) {
      position += mask[i];
      out[i] = Math.max(0, position);
    }
  }
  return out;
}

function integers(ort: OrtModule, input: TensorFacts, values: Int32Array | Uint8Array, dims: number[]): Tensor {
  if (input.type === 'int32') return new ort.Tensor('int32', Int32Array.from(values), dims);
  if (input.type !== 'int64') throw unknownInput(input);
  // Small non-negative numbers: the low half of each 64-bit word. Making a BigInt of each costs 20 times as much.
  const words = new BigInt64Array(values.length);
  const halves = new Int32Array(words.buffer);
  for (let i = 0; i < values.length; i++) halves[2 * i] = values[i];
  return new ort.Tensor('int64', words, dims);
}

/** A cache of length 0: the first size that has a name is the batch, other names are lengths of the past. */
function emptyCache(ort: OrtModule, input: TensorFacts, rows: number): Tensor {
  const dims = input.shape.map((size, axis) => (typeof size === 'number' ? size : axis === 0 ? rows : 0));
  const length = dims.reduce((product, size) => product * size, 1);
  if (input.type === 'float32') return new ort.Tensor('float32', new Float32Array(length), dims);
  if (input.type === 'float16') return new ort.Tensor('float16', new Uint16Array(length), dims);
  throw unknownInput(input);
}

function unknownInput({ name, type, shape }: TensorFacts): TenbinError {
  return new TenbinError('refused', {
    what: 'The graph wants an input that tenbin cannot feed',
    value: `${name}: ${type} [${shape.join(', ')}]`,
    fix: 'Export the graph without it; token ids, masks, segments, positions, empty caches and encoder states are fed.',
  });
}
