import { listwise } from './listwise.js';

/** The order is that of the labels' probabilities as the first token (arXiv 2310.09497; 2406.15657). Services list 20. */
export const listwiseLikelihood = listwise({
  name: 'listwise.likelihood',
  question: 'list-likelihood',
  how: 'the order of the first token’s probabilities',
  maxWindow: 20,
});
