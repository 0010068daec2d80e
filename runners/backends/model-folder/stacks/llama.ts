import { z } from 'zod';
import { fieldsOf, type JsonFile } from '../json-file.js';
import { flag, layerCount, size, vocabulary } from './bounds.js';
import { type Head, linear, projection, type Stack } from './stack.js';

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
  sliding_window: size.nullish(),
  layer_types: z.array(z.string()).max(1_000).nullish(),
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
}

const plain: Variation = { queryKeyValue: 'plain', normalizations: 2, normalizedHeads: false, tiedByDefault: false };

/** Decoders after Llama, by `model_type`. */
export const decoders: ReadonlyMap<string, (config: JsonFile) => Stack> = new Map(
  Object.entries({
    llama: plain,
    mistral: plain,
    qwen2: { ...plain, queryKeyValue: 'bias' },
    qwen3: { ...plain, normalizedHeads: true },
    gemma: { ...plain, tiedByDefault: true },
    gemma2: { ...plain, normalizations: 4, tiedByDefault: true },
    gemma3_text: { ...plain, normalizations: 4, normalizedHeads: true, tiedByDefault: true },
  } satisfies Record<string, Variation>).map(([type, variation]) => [type, (config) => decoder(config, variation)]),
);

function decoder(config: JsonFile, variation: Variation): Stack {
  const read = fieldsOf(config, schema);
  const { hidden_size: hidden, num_attention_heads: heads } = read;
  const embedding = read.vocab_size * hidden;
  const tied = read.tie_word_embeddings ?? variation.tiedByDefault;
  return {
    architecture: {
      kind: 'decoder',
      layers: read.num_hidden_layers,
      hidden,
      heads,
      keyValueHeads: read.num_key_value_heads ?? heads,
      headSize: headSizeOf(read),
      feedForward: read.intermediate_size,
      gated: true,
      vocabulary: read.vocab_size,
      ...windowOf(read),
    },
    ...(read.max_position_embeddings == null ? {} : { positions: read.max_position_embeddings }),
    embedding,
    body: read.num_hidden_layers * layerOf(read, variation) + hidden,
    head: (head) => headOf(read, head, tied ? 0 : embedding),
    tied,
  };
}

function headSizeOf(read: Read): number {
  return read.head_dim ?? Math.floor(read.hidden_size / read.num_attention_heads);
}

/** Only what config.json lists layer by layer: the defaults of a window differ from version to version. */
function windowOf(read: Read): { window?: number; localLayers?: number } {
  const localLayers = (read.layer_types ?? []).filter((type) => type === 'sliding_attention').length;
  return read.sliding_window == null || localLayers === 0 ? {} : { window: read.sliding_window, localLayers };
}

function layerOf(read: Read, variation: Variation): number {
  const { hidden_size: hidden, num_attention_heads: heads, intermediate_size: feedForward } = read;
  const headSize = headSizeOf(read);
  const keys = (read.num_key_value_heads ?? heads) * headSize;
  const said = read.attention_bias == null ? null : read.attention_bias ? 'bias' : 'plain';
  const bias = said ?? variation.queryKeyValue;
  const matrix = read.mlp_bias === true ? 'bias' : 'plain';
  return (
    linear(hidden, heads * headSize, bias) +
    2 * linear(hidden, keys, bias) +
    linear(heads * headSize, hidden, said ?? 'plain') +
    2 * linear(hidden, feedForward, matrix) +
    linear(feedForward, hidden, matrix) +
    variation.normalizations * hidden +
    (variation.normalizedHeads ? 2 * headSize : 0)
  );
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
