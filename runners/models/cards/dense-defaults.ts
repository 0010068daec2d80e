import { noPrompts } from './origins.js';

/** What most dense models have in common; a card says where it differs. */
export const dense = {
  family: 'dense',
  normalize: true,
  similarity: 'cosine',
  matryoshkaDims: [],
  prompts: noPrompts,
  languages: ['en'],
  verified: false,
} as const;
