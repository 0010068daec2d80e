import { z } from 'zod';
import { fieldsOf, type JsonFile } from '../json-file.js';
import { flag, layerCount, size, vocabulary } from './bounds.js';
import { linear, projection, type Stack } from './stack.js';

const schema = z.object({
  architectures: z.array(z.string().max(200)).max(10).nullish(),
  vocab_size: vocabulary,
  d_model: size,
  d_kv: size,
  d_ff: size,
  num_layers: layerCount,
  num_decoder_layers: layerCount.nullish(),
  num_heads: size,
  relative_attention_num_buckets: size.nullish(),
  feed_forward_proj: z.string().nullish(),
  is_gated_act: flag,
  tie_word_embeddings: flag,
});
type Read = z.output<typeof schema>;

/** T5 (Raffel et al. 2020) and mT5: no biases, relative positions in a table of the first layer of each side. */
export function t5(config: JsonFile): Stack {
  return t5Stack(config, 'first layer');
}

/** UMT5 (arXiv 2304.09151): every layer has a table of its own. */
export function umt5(config: JsonFile): Stack {
  return t5Stack(config, 'every layer');
}

/** `T5EncoderModel` and its kin (Sentence-T5): the file has the figures of a decoder that is not there. */
const isEncoder = ({ architectures }: Read) => architectures?.[0]?.endsWith('EncoderModel') ?? false;

function t5Stack(config: JsonFile, tables: 'first layer' | 'every layer'): Stack {
  const read = fieldsOf(config, schema);
  const { d_model: hidden, num_layers: layers, num_heads: heads, d_ff: feedForward, d_kv: headSize } = read;
  const decoderLayers = isEncoder(read) ? 0 : (read.num_decoder_layers ?? layers);
  const sides = isEncoder(read) ? 1 : 2;
  const gated = read.is_gated_act ?? read.feed_forward_proj?.startsWith('gated-') ?? false;
  const attention = 4 * linear(hidden, heads * headSize, 'plain') + hidden;
  const dense = (gated ? 3 : 2) * linear(hidden, feedForward, 'plain') + hidden;
  const table = (read.relative_attention_num_buckets ?? 32) * heads;
  const positions = table * (tables === 'first layer' ? sides : layers + decoderLayers);
  const embedding = read.vocab_size * hidden;
  const tied = read.tie_word_embeddings ?? true;
  return {
    architecture: {
      ...(isEncoder(read) ? { kind: 'encoder', layers } : { kind: 'encoder-decoder', layers, decoderLayers }),
      hidden,
      heads,
      headSize,
      feedForward,
      gated,
      vocabulary: read.vocab_size,
    },
    embedding,
    body: layers * (attention + dense) + decoderLayers * (2 * attention + dense) + positions + sides * hidden,
    head: (head) => {
      if (head.kind === 'vocabulary') return tied ? 0 : embedding;
      if (head.kind === 'classifier') return linear(hidden, hidden, 'bias') + linear(hidden, head.labels, 'bias');
      return head.kind === 'projection' ? projection(hidden, head) : 0;
    },
    tied,
  };
}
