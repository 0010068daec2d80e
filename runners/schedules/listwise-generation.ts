import { listwise } from './listwise.js';

/** The order is written out by the model: `[3] > [1] > [2]`. */
export const listwiseGeneration = listwise({
  name: 'listwise.generation',
  question: 'list',
  how: 'the order written by the model',
  maxWindow: 100,
});
