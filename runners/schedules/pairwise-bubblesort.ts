import { noArgument, type Plugin } from '../../core/registry.js';
import { beats } from './both-orders.js';
import { makeSchedule, type Schedule } from './schedule.js';

const name = 'pairwise.bubblesort';
const summary = 'k passes of neighbours from the back to the front, both orders (arXiv 2306.17563); 2 Σ(n-1-i) prompts';

export const pairwiseBubblesort: Plugin<Schedule> = {
  name,
  summary,
  bind: (argument) => {
    noArgument(name, argument);
    return makeSchedule({
      id: name,
      summary,
      question: 'pair',
      passagesPerCall: 2,
      // Twice the sum over i < k of n - 1 - i.
      callLimit: (size, k) => k * (2 * size - 1 - k),
      best: async (size, k, judge) => {
        const list = Array.from({ length: size }, (_, i) => i);
        for (let top = 0; top < k; top++) {
          for (let low = size - 1; low > top; low--) {
            if (await beats(judge, list[low], list[low - 1])) [list[low - 1], list[low]] = [list[low], list[low - 1]];
          }
        }
        return list.slice(0, k);
      },
    });
  },
};
