import { z } from 'zod';
import { fieldsOf, type JsonFile } from '../json-file.js';
import { layerCount, size, vocabulary } from './bounds.js';
import { checkMultiple } from './possible.js';
import { type Head, linear, projection, type Stack } from './stack.js';

const bertSchema = z.object({
  vocab_size: vocabulary,
  hidden_size: size,
  num_hidden_layers: layerCount,
  num_attention_heads: size,
  intermediate_size: size,
  max_position_embeddings: size.nullish(),
  type_vocab_size: z.number().int().min(0).max(1_000).nullish(),
  pad_token_id: z.number().int().min(0).nullish(),
  relative_attention_num_buckets: size.nullish(),
  position_embedding_type: z.string().max(100).nullish(),
  feed_forward_type: z.string().max(100).nullish(),
});
type Read = z.output<typeof bertSchema>;

const distilbertSchema = z.object({
  vocab_size: vocabulary,
  dim: size,
  n_layers: layerCount,
  n_heads: size,
  hidden_dim: size,
  max_position_embeddings: size.nullish(),
});

interface Shape {
  readonly vocabulary: number;
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly feedForward: number;
  readonly gated?: true;
  /** Rows of the position table; none where the file does not say, and then nobody counts weights. */
  readonly positionRows: number;
  /** Positions that texts can have; null where the file does not say. */
  readonly positions: number | null;
  /** Weights of the embeddings besides words, positions and their normalization. */
  readonly besides: number;
}

/**
 * Devlin et al. 2019: learned positions, two matrices in the feed-forward layer, biases everywhere. JinaBERT (arXiv
 * 2310.19923), which calls itself `bert` too, has no table of positions and gated layers.
 */
export function bert(config: JsonFile): Stack {
  const read = fieldsOf(config, bertSchema);
  return stackOf({
    ...commonShape(config, read),
    positions: read.max_position_embeddings ?? null,
    besides: (read.type_vocab_size ?? 2) * read.hidden_size,
    ...(read.position_embedding_type === 'alibi' && { positionRows: 0 }),
    ...(/glu$/.test(read.feed_forward_type ?? '') && { gated: true }),
  });
}

/** RoBERTa and its kin number positions from the padding id + 1 on, so two rows and more are never used. */
export function roberta(config: JsonFile): Stack {
  const read = fieldsOf(config, bertSchema);
  const besides = (read.type_vocab_size ?? 1) * read.hidden_size;
  return stackOf({ ...commonShape(config, read), positions: behindPadding(read), besides });
}

function behindPadding({ max_position_embeddings: rows, pad_token_id: padding }: Read): number | null {
  return rows == null ? null : Math.max(1, rows - (padding ?? 1) - 1);
}

/** MPNet: positions as in RoBERTa, no token types, one table of relative positions for all layers. */
export function mpnet(config: JsonFile): Stack {
  const read = fieldsOf(config, bertSchema);
  const besides = (read.relative_attention_num_buckets ?? 32) * read.num_attention_heads;
  return stackOf({ ...commonShape(config, read), positions: behindPadding(read), besides });
}

export function distilbert(config: JsonFile): Stack {
  const read = fieldsOf(config, distilbertSchema);
  checkMultiple(config, ['dim', read.dim], ['n_heads', read.n_heads]);
  const shape: Shape = {
    vocabulary: read.vocab_size,
    hidden: read.dim,
    layers: read.n_layers,
    heads: read.n_heads,
    feedForward: read.hidden_dim,
    positionRows: read.max_position_embeddings ?? 0,
    positions: read.max_position_embeddings ?? null,
    besides: 0,
  };
  return stackOf(shape);
}

function commonShape(config: JsonFile, read: Read) {
  const { hidden_size: hidden, num_attention_heads: heads } = read;
  checkMultiple(config, ['hidden_size', hidden], ['num_attention_heads', heads]);
  return {
    vocabulary: read.vocab_size,
    hidden,
    layers: read.num_hidden_layers,
    heads,
    feedForward: read.intermediate_size,
    positionRows: read.max_position_embeddings ?? 0,
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
    ...(shape.positions !== null && { positions: shape.positions }),
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
