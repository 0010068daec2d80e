import type { CostHead, ModelCost } from '../../cost/types.js';
import type { Architecture, ModelCard } from '../../models/card.js';

/** What the FLOPs of a card's model follow from: its layers, and what its family reads of them; null where they are not known. */
export function costOfCard(card: ModelCard): ModelCost | null {
  const { architecture } = card;
  return architecture === undefined ? null : { architecture, head: headOf(card, architecture) };
}

function headOf(card: ModelCard, architecture: Architecture): CostHead {
  switch (card.family) {
    case 'dense':
      // A vector of another length than the layers are wide comes from a linear layer behind the pooling.
      return card.dims === architecture.hidden
        ? { kind: 'none' }
        : { kind: 'projection', dims: card.dims, over: 'text' };
    case 'sparse':
      return { kind: 'masked-language-model' };
    case 'late-interaction':
      return { kind: 'projection', dims: card.dims, over: 'tokens' };
    case 'reranker':
      if (card.method === 'yes-no') return { kind: 'two-words' };
      if (card.method === 'query-likelihood') return { kind: 'language-model', positions: 'read' };
      // Encoders have a pooler or a dense layer below their labels; decoders read the last position as it is.
      return { kind: 'classifier', labels: card.labels, dense: architecture.kind !== 'decoder' };
  }
}
