import type { Plugin } from '../../core/registry.js';
import { childrenParameter, readWholeNumbers } from './parameters.js';
import { makeSchedule, type Schedule } from './schedule.js';

const name = 'setwise.bubblesort';

/** Zhuang et al. (arXiv 2310.09497): sets of c + 1 from the back, each taking the best of the last one along. */
export const setwiseBubblesort: Plugin<Schedule> = {
  name,
  summary: `k passes of sets of c + 1 passages from the back to the front: ${name}@children=2`,
  bind: (argument) => {
    const { values, id } = readWholeNumbers(name, argument, { children: childrenParameter });
    const { children } = values;
    return makeSchedule({
      id,
      summary: `k passes of sets of ${children + 1} passages from the back to the front, one prompt a set`,
      question: 'set',
      passagesPerCall: children + 1,
      callLimit: (size, k) => promptsOf(size, k, children),
      best: async (size, k, judge) => {
        const list = Array.from({ length: size }, (_, i) => i);
        for (let top = 0; top < Math.min(k, size - 1); top++) {
          for (const start of setStarts(size, top, children)) {
            const winner = start + (await judge.choose(list.slice(start, start + children + 1)));
            [list[start], list[winner]] = [list[winner], list[start]];
          }
        }
        return list.slice(0, k);
      },
    });
  },
};

/** Where the sets of one pass begin: neighbours share a passage, and the last set is moved down to `top`. */
function setStarts(size: number, top: number, children: number): number[] {
  const starts: number[] = [];
  for (let start = size - children - 1; start > top; start -= children) starts.push(start);
  return [...starts, top];
}

function promptsOf(size: number, k: number, children: number): number {
  let prompts = 0;
  for (let top = 0; top < Math.min(k, size - 1); top++) prompts += setStarts(size, top, children).length;
  return prompts;
}
