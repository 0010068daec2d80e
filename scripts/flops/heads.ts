import { TenbinError } from '../../core/errors.js';
import type { CostHead, ModelCost } from '../../runners/cost/types.js';

export const headNames = ['none', 'pooler', 'classifier', 'mlm', 'lm-last', 'lm-all', 'two-words'] as const;
export type HeadName = (typeof headNames)[number];

/** What is asked to stand on the layers, and whether text is generated. */
interface HeadWish {
  readonly head?: HeadName;
  readonly generate?: number;
}

/** The head that was asked for, or the model's own; who generates needs logits over the vocabulary. */
export function headFor({ architecture, head }: ModelCost, wish: HeadWish): CostHead {
  const chosen = wish.head === undefined ? head : named(wish.head, head, architecture.kind !== 'decoder');
  if (chosen.kind === 'language-model' && chosen.positions !== 'read') return chosen;
  if (wish.generate === undefined) return chosen.kind === 'language-model' ? { ...chosen, positions: 'last' } : chosen;
  if (wish.head === undefined) return { kind: 'language-model', positions: 'last' };
  throw new TenbinError('usage', {
    what: 'Text is generated with the head of a language model',
    value: `--generate ${wish.generate} --head ${wish.head}`,
    fix: 'Take `--head lm-last` or `--head lm-all`, or leave --head out.',
  });
}

function named(name: HeadName, own: CostHead, hasDense: boolean): CostHead {
  switch (name) {
    case 'none':
    case 'pooler':
    case 'two-words':
      return { kind: name };
    case 'classifier':
      return own.kind === 'classifier' ? own : { kind: 'classifier', labels: 1, dense: hasDense };
    case 'mlm':
      return { kind: 'masked-language-model' };
    case 'lm-last':
      return { kind: 'language-model', positions: 'last' };
    case 'lm-all':
      return { kind: 'language-model', positions: 'all' };
  }
}

/** How `--head` spells it, with what it is wide. */
export function headText(head: CostHead): string {
  switch (head.kind) {
    case 'classifier':
      return `classifier of ${head.labels}${head.dense ? ' behind a dense layer' : ''}`;
    case 'masked-language-model':
      return 'mlm';
    case 'language-model':
      return `lm-${head.positions}`;
    case 'projection':
      return `projection to ${head.dims} over ${head.over === 'tokens' ? 'each token' : 'the text'}`;
    default:
      return head.kind;
  }
}
