/** What cross-encoders have in common. */
export const crossEncoder = {
  family: 'reranker',
  method: 'cross-encoder',
  labels: 1,
  template: null,
  words: null,
  maxLength: 512,
  languages: ['en'],
  verified: false,
} as const;
