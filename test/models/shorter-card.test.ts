import { expect, test } from 'vitest';
import { embeddedCards } from '../../runners/models/cards/index.js';
import { shorterCard } from '../../runners/models/shorter-card.js';

const cardOf = (id: string) => {
  const card = embeddedCards.find((each) => each.id === id);
  if (card === undefined) throw new Error(`There is no card ${id}.`);
  return card;
};

test('a card is cut to the tokens that are said, and to no more than it takes', () => {
  const dense = cardOf('dense-tiny');
  expect(shorterCard(dense, undefined)).toBe(dense);
  expect(shorterCard(dense, 64)).toEqual({ ...dense, maxLength: 64 });
  expect(shorterCard(dense, dense.maxLength)).toEqual(dense);
  expect(() => shorterCard(dense, dense.maxLength + 1)).toThrow(/dense-tiny with maxLength=257.*256 at most/s);
});

test('late interaction has a length for queries and one for documents', () => {
  const late = cardOf('colbert-tiny');
  expect(shorterCard(late, 100)).toMatchObject({ maxLength: 100, documentLength: 100, queryLength: 32 });
  expect(shorterCard(late, 16)).toMatchObject({ maxLength: 16, documentLength: 16, queryLength: 16 });
});
