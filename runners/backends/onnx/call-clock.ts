import type { CallTimes } from '../../open-model.js';

/** Times the two halves of a call that overlap when it is long: the next texts are tokenized while the graph runs. */
interface CallClock {
  readonly tokenizing: <T>(work: () => T) => T;
  readonly inGraph: <T>(work: () => Promise<T>) => Promise<T>;
  readonly times: () => CallTimes;
}

/**
 * What is tokenized behind the back of the graph costs nobody time and counts as the graph's, and batches under way at
 * once count once, so that both numbers together never exceed the call.
 */
export function callClock(nowMs: () => number = () => performance.now()): CallClock {
  let [tokenizeMs, modelMs, underWay, startMs] = [0, 0, 0, 0];
  return {
    tokenizing: (work) => {
      if (underWay > 0) return work();
      const fromMs = nowMs();
      const result = work();
      tokenizeMs += nowMs() - fromMs;
      return result;
    },
    inGraph: async (work) => {
      if (underWay === 0) startMs = nowMs();
      underWay++;
      try {
        return await work();
      } finally {
        underWay--;
        if (underWay === 0) modelMs += nowMs() - startMs;
      }
    },
    times: () => ({ tokenizeMs, modelMs }),
  };
}
