import { z } from 'zod';
import { fieldsOf, type JsonFile } from '../json-file.js';
import { flag, layerCount, size, vocabulary } from './bounds.js';
import { checkMultiple } from './possible.js';
import { linear, projection, type Stack } from './stack.js';

const schema = z.object({
  vocab_size: vocabulary,
  n_embd: size,
  n_layer: layerCount,
  n_head: size,
  n_positions: size.nullish(),
  n_inner: size.nullish(),
  tie_word_embeddings: flag,
});

/** GPT-2 (Radford et al. 2019): a decoder with learned positions, two matrices in the feed-forward layer, biases everywhere. */
export function gpt2(config: JsonFile): Stack {
  const read = fieldsOf(config, schema);
  const { n_embd: hidden, n_layer: layers } = read;
  checkMultiple(config, ['n_embd', hidden], ['n_head', read.n_head]);
  const feedForward = read.n_inner ?? 4 * hidden;
  const normalization = 2 * hidden;
  const layer =
    4 * linear(hidden, hidden, 'bias') +
    linear(hidden, feedForward, 'bias') +
    linear(feedForward, hidden, 'bias') +
    2 * normalization;
  const embedding = read.vocab_size * hidden;
  const tied = read.tie_word_embeddings ?? true;
  return {
    architecture: {
      kind: 'decoder',
      layers,
      hidden,
      heads: read.n_head,
      feedForward,
      gated: false,
      vocabulary: read.vocab_size,
    },
    ...(read.n_positions != null && { positions: read.n_positions }),
    embedding,
    body: (read.n_positions ?? 0) * hidden + layers * layer + normalization,
    head: (head) => {
      if (head.kind === 'vocabulary') return tied ? 0 : embedding;
      if (head.kind === 'classifier') return linear(hidden, head.labels, 'plain');
      return head.kind === 'projection' ? projection(hidden, head) : 0;
    },
    tied,
  };
}
