import { pointwise } from './pointwise.js';

/** Query likelihood of a language model (Sachan et al., arXiv 2204.07496). */
export const pointwiseQlm = pointwise(
  'pointwise.qlm',
  'query-likelihood',
  'One prompt per passage: the mean log-probability of the query after it; n prompts, needs log-probabilities',
);
