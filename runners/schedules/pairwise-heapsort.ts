import { noArgument, type Plugin } from '../../core/registry.js';
import { beats } from './both-orders.js';
import { heapStepLimit, topOfHeap } from './heap.js';
import { makeSchedule, type Schedule } from './schedule.js';

const name = 'pairwise.heapsort';
const summary = 'The k best from a binary heap; a comparison is two prompts, one in each order (arXiv 2306.17563)';

/** A step of a sift compares each child with the best so far: two comparisons of two prompts. */
export const pairwiseHeapsort: Plugin<Schedule> = {
  name,
  summary,
  bind: (argument) => {
    noArgument(name, argument);
    return makeSchedule({
      id: name,
      summary,
      question: 'pair',
      passagesPerCall: 2,
      callLimit: (size, k) => 4 * heapStepLimit(size, k, 2),
      best: (size, k, judge) =>
        topOfHeap(size, k, 2, async (family) => {
          let holder = 0;
          for (let child = 1; child < family.length; child++) {
            if (await beats(judge, family[child], family[holder])) holder = child;
          }
          return holder;
        }),
    });
  },
};
