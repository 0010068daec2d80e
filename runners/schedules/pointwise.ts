import { noArgument, type Plugin } from '../../core/registry.js';
import { byValue } from './by-value.js';
import { inTurns } from './in-turns.js';
import { makeSchedule, type Question, type Schedule } from './schedule.js';

/** One prompt for each passage; the list is sorted by the scores. */
export function pointwise(name: string, question: Question, summary: string): Plugin<Schedule> {
  return {
    name,
    summary,
    bind: (argument) => {
      noArgument(name, argument);
      return makeSchedule({
        id: name,
        summary,
        question,
        passagesPerCall: 1,
        callLimit: (size) => size,
        best: async (size, _k, judge) => {
          const passages = Array.from({ length: size }, (_, i) => i);
          return byValue(await inTurns(passages, judge.width, judge.score));
        },
      });
    },
  };
}
