import { pointwise } from './pointwise.js';

/** Nogueira et al. (arXiv 2003.06713) for the question, Zhuang et al. (arXiv 2310.09497) for the schedule's name. */
export const pointwiseYesNo = pointwise(
  'pointwise.yes_no',
  'relevance',
  'One prompt per passage: is it relevant, yes or no? n prompts',
);
