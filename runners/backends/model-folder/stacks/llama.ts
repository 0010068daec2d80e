import { z } from 'zod';
import { fieldsOf, type JsonFile } from '../json-file.js';
import { flag, layerCount, size, vocabulary } from './bounds.js';
import { type Mixture, mixtureOf, mixtureSchema } from './mixture.js';
import { type Head, linear, projection, type Stack } from './stack.js';
import { type LocalRule, localLayers, windowSchema } from './windows.js';

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
  /** Size of a head where config.json does not say; otherwise the hidden size is divided. */
  readonly headSize?: number;
  readonly local: LocalRule;
  readonly mixture?: Mixture;
}

const plain: Variation = {
  queryKeyValue: 'plain',
  normalizations: 2,
  normalizedHeads: false,
  tiedByDefault: false,
  local: 'none',
};
const qwen2: Variation = { ...plain, queryKeyValue: 'bias', local: 'fromMaxWindowLayers' };
const qwen3: Variation = { ...plain, normalizedHeads: true, local: 'fromMaxWindowLayers' };
const gemma: Variation = { ...plain, tiedByDefault: true, headSize: 256 };
const gemma2: Variation = { ...gemma, normalizations: 4, local: 'everySecond' };

/** Decoders after Llama, by `model_type`. */
export const decoders: ReadonlyMap<string, (config: JsonFile) => Stack> = new Map(
  Object.entries({
    llama: plain,
    mistral: { ...plain, local: 'all' },
    mixtral: { ...plain, local: 'all', mixture: 'mixtral' },
    qwen2,
    qwen2_moe: { ...qwen2, mixture: 'shared-expert' },
    qwen3,
    qwen3_moe: { ...qwen3, mixture: 'experts' },
    gemma,
    gemma2,
    gemma3_text: { ...gemma2, normalizedHeads: true, local: 'fiveOfSix' },
  } satisfies Record<string, Variation>).map(([type, variation]) => [type, (config) => decoder(config, variation)]),
);

function decoder(config: JsonFile, variation: Variation): Stack {
  const read = fieldsOf(config, schema);
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

function architectureOf(read: Read, variation: Variation, mixture: Partial<Stack['architecture']>) {
  const { num_attention_heads: heads, sliding_window: window } = read;
  const local = localLayers(read, variation.local).length;
  return {
    // Gemma's embedding models let every position see those after it.
    kind: read.use_bidirectional_attention === true ? 'encoder' : 'decoder',
    layers: read.num_hidden_layers,
    hidden: read.hidden_size,
    heads,
    keyValueHeads: read.num_key_value_heads ?? heads,
    headSize: headSizeOf(read, variation),
    feedForward: read.intermediate_size,
    gated: true,
    vocabulary: read.vocab_size,
    ...(window == null || local === 0 ? {} : { window, localLayers: local }),
    ...mixture,
  } as const;
}

function placesOf(read: Read, variation: Variation) {
  const localAt = localLayers(read, variation.local);
  return localAt.length === 0 ? {} : { localAt };
}

function headSizeOf(read: Read, { headSize }: Variation): number {
  return read.head_dim ?? headSize ?? Math.floor(read.hidden_size / read.num_attention_heads);
}

/** Attention and normalizations of a layer. */
function outsideFeedForward(read: Read, variation: Variation): number {
  const { hidden_size: hidden, num_attention_heads: heads } = read;
  const headSize = headSizeOf(read, variation);
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
