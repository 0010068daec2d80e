import { TenbinError } from '../../core/errors.js';
import type { Plugin } from '../../core/registry.js';
import { readWholeNumbers } from './parameters.js';
import { type Judge, makeSchedule, type Question, type Schedule } from './schedule.js';
import { slidingWindows } from './windows.js';

interface Listwise {
  readonly name: string;
  readonly question: Question;
  readonly how: string;
  /** Passages that one prompt can hold. */
  readonly maxWindow: number;
}

/**
 * Windows slid from the back to the front (Sun et al., arXiv 2304.09542). One pass carries window - step passages along,
 * so with right answers that many are in place; more need `passes`.
 */
export function listwise({ name, question, how, maxWindow }: Listwise): Plugin<Schedule> {
  return {
    name,
    summary: `Windows slid from the back to the front, ${how}: ${name}@window=20,step=10,passes=1`,
    bind: (argument) => {
      const { values, id } = readWholeNumbers(name, argument, {
        window: { kind: 'number', fallback: 20, min: 2, max: maxWindow },
        step: { kind: 'number', fallback: 10, min: 1, max: maxWindow },
        passes: { kind: 'number', fallback: 1, min: 1, max: 100 },
      });
      const { window, step, passes } = values;
      if (step >= window) throw noOverlap(id);
      return makeSchedule({
        id,
        summary: `Windows of ${window} in steps of ${step}, ${passes} times from the back to the front, ${how}`,
        question,
        passagesPerCall: window,
        callLimit: (size) => passes * slidingWindows(size, window, step).length,
        best: (size, _k, judge) => slide(size, values, judge),
      });
    },
  };
}

async function slide(
  size: number,
  { window, step, passes }: { readonly window: number; readonly step: number; readonly passes: number },
  judge: Judge,
): Promise<readonly number[]> {
  const list = Array.from({ length: size }, (_, i) => i);
  for (let pass = 0; pass < passes; pass++) {
    for (const { start, end } of slidingWindows(size, window, step)) {
      const shown = list.slice(start, end);
      const places = await judge.arrange(shown);
      list.splice(start, shown.length, ...places.map((place) => shown[place]));
    }
  }
  return list;
}

function noOverlap(id: string): TenbinError {
  return new TenbinError('usage', {
    what: 'Windows that do not overlap carry nothing to the front',
    value: id,
    fix: 'Make the step smaller than the window.',
  });
}
