import { TenbinError } from '../../core/errors.js';
import type { ModelCard } from './card.js';

/** A card that cuts its texts earlier: less to compute, and less of the text. More than the model was made for is refused. */
export function shorterCard(card: ModelCard, maxLength: number | undefined): ModelCard {
  if (maxLength === undefined) return card;
  if (maxLength > card.maxLength) {
    throw new TenbinError('usage', {
      what: 'The model takes no texts of so many tokens',
      value: `${card.id} with maxLength=${maxLength}`,
      fix: `It takes ${card.maxLength} at most.`,
    });
  }
  if (card.family !== 'late-interaction') return { ...card, maxLength };
  const { queryLength, documentLength } = card;
  return {
    ...card,
    maxLength,
    queryLength: Math.min(queryLength, maxLength),
    documentLength: Math.min(documentLength, maxLength),
  };
}
