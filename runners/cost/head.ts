import type { CostHead } from './types.js';

/** What the head is over: the model's widths, and how many positions it reads. */
interface HeadInput {
  readonly hidden: number;
  readonly vocabulary: number;
  /** Positions of the encoder, of the decoder where there is one. */
  readonly positions: number;
  /** Positions whose logits are read, for heads that read some. */
  readonly read?: number;
}

/** One matrix multiplication of a head: positions × inner × columns. */
interface HeadMatmul {
  readonly name: string;
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
}

/** Matrix multiplications of a head, in the order in which they are done. */
export function headMatmuls(head: CostHead, input: HeadInput): readonly HeadMatmul[] {
  const { hidden, vocabulary, positions } = input;
  const layer = (name: string, rows: number, columns: number): HeadMatmul => ({ name, rows, inner: hidden, columns });
  switch (head.kind) {
    case 'none':
      return [];
    case 'pooler':
      return [layer('pooler', 1, hidden)];
    case 'classifier':
      return [...(head.dense ? [layer('classifier_dense', 1, hidden)] : []), layer('classifier', 1, head.labels)];
    case 'masked-language-model':
      return [layer('mlm_transform', positions, hidden), layer('mlm_decoder', positions, vocabulary)];
    case 'language-model':
      return [
        layer(
          'lm_head',
          head.positions === 'last' ? 1 : head.positions === 'all' ? positions : readOf(input),
          vocabulary,
        ),
      ];
    case 'two-words':
      return [layer('lm_head', 1, 2)];
    case 'projection':
      return [layer('projection', head.over === 'tokens' ? positions : 1, head.dims)];
  }
}

export function headFlops(head: CostHead, input: HeadInput): number {
  return headMatmuls(head, input).reduce((sum, { rows, inner, columns }) => sum + 2 * rows * inner * columns, 0);
}

function readOf({ read }: HeadInput): number {
  if (read === undefined) throw new Error('This head reads some positions: their number is missing.');
  return read;
}
