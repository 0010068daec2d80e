import type { ModelCard } from '../card.js';
import { arcticCards } from './dense-arctic.js';
import { bgeCards } from './dense-bge.js';
import { e5Cards } from './dense-e5.js';
import { gteCards } from './dense-gte.js';
import { miniLmCards } from './dense-minilm.js';
import { otherDenseCards } from './dense-others.js';
import { lateInteractionCards } from './late-interaction.js';
import { languageModelCards } from './rerankers-language-models.js';
import { msMarcoCards } from './rerankers-ms-marco.js';
import { otherRerankerCards } from './rerankers-others.js';
import { sparseCards } from './sparse.js';

export { embeddedCards } from './embedded.js';

/**
 * Models that people compare, as they stand on the hub. A card's id is its repository's name in lower case, without the
 * organisation; where another repository holds the ONNX export, the id is the model's and the origin the export's.
 */
export const hubCards: readonly ModelCard[] = [
  ...miniLmCards,
  ...bgeCards,
  ...e5Cards,
  ...arcticCards,
  ...gteCards,
  ...otherDenseCards,
  ...sparseCards,
  ...lateInteractionCards,
  ...msMarcoCards,
  ...otherRerankerCards,
  ...languageModelCards,
];
