import { noArgument, type Plugin } from '../../core/registry.js';
import { byValue } from './by-value.js';
import { inTurns } from './in-turns.js';
import { makeSchedule, type Schedule } from './schedule.js';

const name = 'pairwise.allpair';
const summary = 'Every pair in both orders, sorted by wins (arXiv 2306.17563); n(n-1) prompts';

/** A pair that the model decides differently in the two orders gives each passage one win: a tie. */
export const pairwiseAllpair: Plugin<Schedule> = {
  name,
  summary,
  bind: (argument) => {
    noArgument(name, argument);
    return makeSchedule({
      id: name,
      summary,
      question: 'pair',
      passagesPerCall: 2,
      callLimit: (size) => size * (size - 1),
      best: async (size, _k, judge) => {
        const wins = new Array<number>(size).fill(0);
        for (let first = 0; first < size; first++) {
          // A row at a time: the million pairs of a thousand passages are not all waiting in memory.
          const others = wins.map((_, i) => i).filter((i) => i !== first);
          const places = await inTurns(others, judge.width, (second) => judge.prefer(first, second));
          places.forEach((place, i) => {
            wins[place === 0 ? first : others[i]]++;
          });
        }
        return byValue(wins);
      },
    });
  },
};
