import { z } from 'zod';
import { fieldsOf, type JsonFile } from '../json-file.js';
import { flag, layerCount, size, vocabulary } from './bounds.js';
import { type Mixture, mixtureNeeds, mixtureOf, mixtureSchema } from './mixture.js';
import { checkMultiple } from './possible.js';
import { type Head, linear, projection, type Stack } from './stack.js';
import { type LocalRule, localLayers, windowOf, windowSchema } from './windows.js';

const schema = z.object({
  vocab_size: vocabulary,
  hidden_size: size,
  num_hidden_layers: layerCount,
  num_attention_heads: size,
  num_key_value_heads: size.nullish(),
  head_dim: size.nullish(),
  intermediate_size: size,
  max_position_embeddings: size.nullish(),
  attention_bias: flag,
  mlp_bias: flag,
  tie_word_embeddings: flag,
  use_bidirectional_attention: flag,
  ...windowSchema,
  ...mixtureSchema,
});
type Read = z.output<typeof schema>;

/** Where the kinds of decoders differ. */
interface Variation {
  /** Biases of query, key and value, and of the output, where config.json does not say. */
  readonly queryKeyValue: 'bias' | 'plain';
  /** Normalizations of a layer over the hidden size. */
  readonly normalizations: 2 | 4;
  /** Queries and keys are normalized by head. */
  readonly normalizedHeads: boolean;
  readonly tiedByDefault: boolean;
  readonly local: LocalRule;
  readonly mixture?: Mixture;
  readonly unguessed: Unguessed;
}

/**
 * Figures that the configuration classes of transformers 4.56 fill in with one model's own, so that a file without them is
 * refused: `num_key_value_heads` (8 of Mistral and Mixtral, 32 of Qwen2 and Qwen3, 16 of Qwen2-MoE, 4 of Qwen3-MoE, 16 of
 * Gemma, 4 of Gemma 2 and 3), `head_dim` (128 of Qwen3, 256 of Gemma 1 to 3). What follows from the file itself is taken: Llama has a key and value for each query head, and so
 * has any file that says null; all but Qwen3 and Gemma divide the hidden size, Qwen3-MoE too, whose class has no
 * `head_dim`. A window that is not said is the one of the class, the same for all.
 */
type Unguessed = 'none' | 'keyValueHeads' | 'keyValueHeads and headSize';

const plain: Variation = {
  unguessed: 'none',
  queryKeyValue: 'plain',
  normalizations: 2,
  normalizedHeads: false,
  tiedByDefault: false,
  local: 'none',
};
const mistral: Variation = { ...plain, local: 'all', unguessed: 'keyValueHeads' };
const qwen2: Variation = {
  ...plain,
  queryKeyValue: 'bias',
  local: 'fromMaxWindowLayers',
  unguessed: 'keyValueHeads',
};
const qwen3: Variation = { ...qwen2, queryKeyValue: 'plain', normalizedHeads: true };
const gemma: Variation = { ...plain, unguessed: 'keyValueHeads and headSize', tiedByDefault: true };
const gemma2: Variation = { ...gemma, normalizations: 4, local: 'everySecond' };

/** A family of decoders: what its config.json cannot do without, what this one leaves to a default, and its layers. */
interface Decoder {
  readonly needs: readonly string[];
  readonly unsaid: (config: JsonFile) => readonly string[];
  readonly read: (config: JsonFile) => Stack;
}

/** Decoders after Llama, by `model_type`. */
export const decoders: ReadonlyMap<string, Decoder> = new Map(
  Object.entries({
    llama: plain,
    mistral,
    mixtral: { ...mistral, mixture: 'mixtral', local: 'allWhereSaid' },
    qwen2,
    qwen2_moe: { ...qwen2, mixture: 'shared-expert' },
    qwen3: { ...qwen3, unguessed: 'keyValueHeads and headSize' },
    qwen3_moe: { ...qwen3, mixture: 'experts' },
    gemma,
    gemma2,
    gemma3_text: { ...gemma2, normalizedHeads: true, local: 'fiveOfSix' },
  } satisfies Record<string, Variation>).map(([type, variation]) => [type, decoderOf(variation)]),
);

function decoderOf(variation: Variation): Decoder {
  return {
    needs: [
      ...(variation.unguessed === 'keyValueHeads and headSize' ? ['head_dim'] : []),
      ...(variation.mixture === undefined ? [] : mixtureNeeds[variation.mixture]),
    ],
    unsaid: (config) => unsaidIn(config, variation),
    read: (config) => decoder(config, variation),
  };
}

/** Fields that have to be there, if only to say null. */
function unsaidIn(config: JsonFile, { unguessed }: Variation): readonly string[] {
  const { num_key_value_heads: heads } = fieldsOf(config, schema);
  return unguessed !== 'none' && heads === undefined ? ['num_key_value_heads'] : [];
}

function decoder(config: JsonFile, variation: Variation): Stack {
  const read = fieldsOf(config, schema);
  checkSizes(config, read);
  const { hidden_size: hidden, num_hidden_layers: layers } = read;
  const embedding = read.vocab_size * hidden;
  const tied = read.tie_word_embeddings ?? variation.tiedByDefault;
  const mixture = variation.mixture === undefined ? null : mixtureOf(config, read, variation.mixture);
  const outside = layers * outsideFeedForward(read, variation) + hidden;
  const plainLayers = layers * feedForward(read);
  return {
    architecture: architectureOf(read, variation, mixture?.facts ?? {}),
    ...placesOf(read, variation),
    ...(read.max_position_embeddings == null ? {} : { positions: read.max_position_embeddings }),
    embedding,
    body: outside + (mixture?.weights ?? plainLayers),
    ...(mixture !== null && { activeBody: outside + mixture.activeWeights, denseAt: mixture.denseAt }),
    head: (head) => headOf(read, head, tied ? 0 : embedding),
    tied,
  };
}

function checkSizes(config: JsonFile, read: Read): void {
  const heads = ['num_attention_heads', read.num_attention_heads] as const;
  if (read.head_dim == null) checkMultiple(config, ['hidden_size', read.hidden_size], heads);
  if (read.num_key_value_heads != null) checkMultiple(config, heads, ['num_key_value_heads', read.num_key_value_heads]);
}

function architectureOf(read: Read, variation: Variation, mixture: Partial<Stack['architecture']>) {
  const { num_attention_heads: heads } = read;
  const window = windowOf(read, variation.local);
  const local = localLayers(read, variation.local).length;
  return {
    // Gemma's embedding models let every position see those after it.
    kind: read.use_bidirectional_attention === true ? 'encoder' : 'decoder',
    layers: read.num_hidden_layers,
    hidden: read.hidden_size,
    heads,
    keyValueHeads: read.num_key_value_heads ?? heads,
    headSize: headSizeOf(read),
    feedForward: read.intermediate_size,
    gated: true,
    vocabulary: read.vocab_size,
    ...(window === null || local === 0 ? {} : { window, localLayers: local }),
    ...mixture,
  } as const;
}

function placesOf(read: Read, variation: Variation) {
  const localAt = localLayers(read, variation.local);
  return localAt.length === 0 ? {} : { localAt };
}

function headSizeOf(read: Read): number {
  return read.head_dim ?? Math.floor(read.hidden_size / read.num_attention_heads);
}

/** Attention and normalizations of a layer. */
function outsideFeedForward(read: Read, variation: Variation): number {
  const { hidden_size: hidden, num_attention_heads: heads } = read;
  const headSize = headSizeOf(read);
  const keys = (read.num_key_value_heads ?? heads) * headSize;
  const said = read.attention_bias == null ? null : read.attention_bias ? 'bias' : 'plain';
  const bias = said ?? variation.queryKeyValue;
  return (
    linear(hidden, heads * headSize, bias) +
    2 * linear(hidden, keys, bias) +
    linear(heads * headSize, hidden, said ?? 'plain') +
    variation.normalizations * hidden +
    (variation.normalizedHeads ? 2 * headSize : 0)
  );
}

function feedForward({ hidden_size: hidden, intermediate_size: width, mlp_bias: biased }: Read): number {
  const matrix = biased === true ? 'bias' : 'plain';
  return 2 * linear(hidden, width, matrix) + linear(width, hidden, matrix);
}

function headOf(read: Read, head: Head, outputTable: number): number {
  switch (head.kind) {
    case 'none':
      return 0;
    case 'vocabulary':
      return outputTable;
    case 'classifier':
      return linear(read.hidden_size, head.labels, 'plain');
    case 'projection':
      return projection(read.hidden_size, head);
  }
}
