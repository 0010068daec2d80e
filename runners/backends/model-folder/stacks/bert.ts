import { z } from 'zod';
import { fieldsOf, type JsonFile } from '../json-file.js';
import { layerCount, size, vocabulary } from './bounds.js';
import { type Head, linear, projection, type Stack } from './stack.js';

const bertSchema = z.object({
  vocab_size: vocabulary,
  hidden_size: size,
  num_hidden_layers: layerCount,
  num_attention_heads: size,
  intermediate_size: size,
  max_position_embeddings: size,
  type_vocab_size: z.number().int().min(0).max(1_000).nullish(),
  pad_token_id: z.number().int().min(0).nullish(),
  relative_attention_num_buckets: size.nullish(),
  position_embedding_type: z.string().max(100).nullish(),
  feed_forward_type: z.string().max(100).nullish(),
});

const distilbertSchema = z.object({
  vocab_size: vocabulary,
  dim: size,
  n_layers: layerCount,
  n_heads: size,
  hidden_dim: size,
  max_position_embeddings: size,
});

interface Shape {
  readonly vocabulary: number;
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly feedForward: number;
  readonly gated?: true;
  /** Rows of the position table. */
  readonly positionRows: number;
  /** Positions that texts can have. */
  readonly positions: number;
  /** Weights of the embeddings besides words, positions and their normalization. */
  readonly besides: number;
}

/**
 * Devlin et al. 2019: learned positions, two matrices in the feed-forward layer, biases everywhere. JinaBERT (arXiv
 * 2310.19923), which calls itself `bert` too, has no table of positions and gated layers.
 */
export function bert(config: JsonFile): Stack {
  const read = fieldsOf(config, bertSchema);
  const rows = read.max_position_embeddings;
  return stackOf({
    ...commonShape(read),
    positions: rows,
    besides: (read.type_vocab_size ?? 2) * read.hidden_size,
    ...(read.position_embedding_type === 'alibi' && { positionRows: 0 }),
    ...(/glu$/.test(read.feed_forward_type ?? '') && { gated: true }),
  });
}

/** RoBERTa and its kin number positions from the padding id + 1 on, so two rows and more are never used. */
export function roberta(config: JsonFile): Stack {
  const read = fieldsOf(config, bertSchema);
  const positions = Math.max(1, read.max_position_embeddings - (read.pad_token_id ?? 1) - 1);
  return stackOf({ ...commonShape(read), positions, besides: (read.type_vocab_size ?? 1) * read.hidden_size });
}

/** MPNet: positions as in RoBERTa, no token types, one table of relative positions for all layers. */
export function mpnet(config: JsonFile): Stack {
  const read = fieldsOf(config, bertSchema);
  const positions = Math.max(1, read.max_position_embeddings - (read.pad_token_id ?? 1) - 1);
  const besides = (read.relative_attention_num_buckets ?? 32) * read.num_attention_heads;
  return stackOf({ ...commonShape(read), positions, besides });
}

export function distilbert(config: JsonFile): Stack {
  const read = fieldsOf(config, distilbertSchema);
  const rows = read.max_position_embeddings;
  const shape: Shape = {
    vocabulary: read.vocab_size,
    hidden: read.dim,
    layers: read.n_layers,
    heads: read.n_heads,
    feedForward: read.hidden_dim,
    positionRows: rows,
    positions: rows,
    besides: 0,
  };
  return stackOf(shape);
}

function commonShape(read: z.output<typeof bertSchema>) {
  return {
    vocabulary: read.vocab_size,
    hidden: read.hidden_size,
    layers: read.num_hidden_layers,
    heads: read.num_attention_heads,
    feedForward: read.intermediate_size,
    positionRows: read.max_position_embeddings,
  };
}

function stackOf(shape: Shape): Stack {
  const { hidden, feedForward } = shape;
  const normalization = 2 * hidden;
  const layer =
    4 * linear(hidden, hidden, 'bias') +
    (shape.gated === true ? linear(hidden, 2 * feedForward, 'plain') : linear(hidden, feedForward, 'bias')) +
    linear(feedForward, hidden, 'bias') +
    2 * normalization;
  return {
    architecture: {
      kind: 'encoder',
      layers: shape.layers,
      hidden,
      heads: shape.heads,
      feedForward,
      gated: shape.gated === true,
      vocabulary: shape.vocabulary,
    },
    positions: shape.positions,
    embedding: shape.vocabulary * hidden,
    body: shape.positionRows * hidden + shape.besides + normalization + shape.layers * layer,
    head: (head) => headOf(shape, head),
    tied: true,
  };
}

/** A classifier reads BERT's pooler, or a dense layer of its own: the same number of weights. */
function headOf({ hidden, vocabulary }: Shape, head: Head): number {
  const dense = linear(hidden, hidden, 'bias');
  switch (head.kind) {
    case 'none':
      return 0;
    case 'vocabulary':
      return dense + 2 * hidden + vocabulary;
    case 'classifier':
      return dense + linear(hidden, head.labels, 'bias');
    case 'projection':
      return projection(hidden, head);
  }
}
