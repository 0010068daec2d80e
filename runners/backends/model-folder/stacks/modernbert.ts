import { z } from 'zod';
import { fieldsOf, type JsonFile } from '../json-file.js';
import { flag, layerCount, size, vocabulary } from './bounds.js';
import { checkMultiple } from './possible.js';
import { type Head, linear, projection, type Stack } from './stack.js';

const schema = z.object({
  vocab_size: vocabulary,
  hidden_size: size,
  num_hidden_layers: layerCount,
  num_attention_heads: size,
  intermediate_size: size,
  max_position_embeddings: size.nullish(),
  attention_bias: flag,
  mlp_bias: flag,
  norm_bias: flag,
  classifier_bias: flag,
  decoder_bias: flag,
  local_attention: size.nullish(),
  global_attn_every_n_layers: layerCount.nullish(),
  layer_types: z.array(z.string().max(100)).max(1_000).nullish(),
});
type Read = z.output<typeof schema>;

/** ModernBERT (arXiv 2412.13663): rotary positions, gated layers, every n-th layer sees all tokens, the others a window. */
export function modernbert(config: JsonFile): Stack {
  const read = fieldsOf(config, schema);
  const { hidden_size: hidden, num_hidden_layers: layers, intermediate_size: feedForward } = read;
  checkMultiple(config, ['hidden_size', hidden], ['num_attention_heads', read.num_attention_heads]);
  const localAt = localLayers(read);
  return {
    architecture: {
      kind: 'encoder',
      layers,
      hidden,
      heads: read.num_attention_heads,
      feedForward,
      gated: true,
      vocabulary: read.vocab_size,
      window: read.local_attention ?? 128,
      localLayers: localAt.length,
    },
    localAt,
    ...(read.max_position_embeddings == null ? {} : { positions: read.max_position_embeddings }),
    embedding: read.vocab_size * hidden,
    body: bodyOf(read),
    head: (head) => headOf(read, head),
    tied: true,
  };
}

/** Every n-th layer sees all tokens, from the first on, unless the file lists them. */
function localLayers({ num_hidden_layers: layers, global_attn_every_n_layers: every, layer_types: types }: Read) {
  const numbers = Array.from({ length: layers }, (_, i) => i);
  return numbers.filter((i) => (types == null ? i % (every ?? 3) !== 0 : types[i] === 'sliding_attention'));
}

const biased = (value: boolean | null | undefined) => (value === true ? 'bias' : 'plain');

function bodyOf(read: Read): number {
  const { hidden_size: hidden, num_hidden_layers: layers, intermediate_size: feedForward } = read;
  const normalization = normalizationOf(read);
  const attention =
    linear(hidden, 3 * hidden, biased(read.attention_bias)) + linear(hidden, hidden, biased(read.attention_bias));
  const gated =
    linear(hidden, 2 * feedForward, biased(read.mlp_bias)) + linear(feedForward, hidden, biased(read.mlp_bias));
  // One after the embeddings, two in each layer but the first, which has none before its attention, and one at the end.
  const normalizations = 2 * layers + 1;
  return layers * (attention + gated) + normalizations * normalization;
}

function normalizationOf(read: Read): number {
  return read.norm_bias === true ? 2 * read.hidden_size : read.hidden_size;
}

function headOf(read: Read, head: Head): number {
  const hidden = read.hidden_size;
  const dense = linear(hidden, hidden, biased(read.classifier_bias)) + normalizationOf(read);
  switch (head.kind) {
    case 'none':
      return 0;
    case 'vocabulary':
      return dense + (read.decoder_bias === false ? 0 : read.vocab_size);
    case 'classifier':
      return dense + linear(hidden, head.labels, 'bias');
    case 'projection':
      return projection(hidden, head);
  }
}
