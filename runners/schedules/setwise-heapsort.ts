import type { Plugin } from '../../core/registry.js';
import { heapStepLimit, topOfHeap } from './heap.js';
import { childrenParameter, readWholeNumbers } from './parameters.js';
import { makeSchedule, type Schedule } from './schedule.js';

const name = 'setwise.heapsort';

/** Zhuang et al. (arXiv 2310.09497): a heap with c children, where one prompt shows a parent and all its children. */
export const setwiseHeapsort: Plugin<Schedule> = {
  name,
  summary: `The k best from a heap, a parent and its c children in one prompt: ${name}@children=2`,
  bind: (argument) => {
    const { values, id } = readWholeNumbers(name, argument, { children: childrenParameter });
    return makeSchedule({
      id,
      summary: `The k best from a heap with ${values.children} children a node, one prompt a step`,
      question: 'set',
      passagesPerCall: values.children + 1,
      callLimit: (size, k) => heapStepLimit(size, k, values.children),
      best: (size, k, judge) => topOfHeap(size, k, values.children, judge.choose),
    });
  },
};
