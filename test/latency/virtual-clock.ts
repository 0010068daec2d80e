import type { ServeClock } from '../../runners/serve/load.js';

/** A clock whose time passes only when everybody waits for it. */
export interface VirtualClock extends ServeClock {
  /** Lets time pass until the work is done. */
  readonly play: <T>(work: Promise<T>) => Promise<T>;
}

export function virtualClock(): VirtualClock {
  let now = 0;
  const waiting: { readonly at: number; readonly wake: () => void }[] = [];
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    nowMs: () => now,
    until: (ms) => new Promise((wake) => waiting.push({ at: Math.max(ms, now), wake })),
    play: async (work) => {
      let done = false;
      const watched = work.finally(() => {
        done = true;
      });
      watched.catch(() => undefined);
      for (;;) {
        await nextTurn();
        if (done) return watched;
        // The one that waits for the earliest time, and of those the one that came first.
        const next = waiting.reduce((first, each) => (each.at < first.at ? each : first), waiting[0]);
        if (next === undefined) throw new Error('Somebody waits for what will never come.');
        waiting.splice(waiting.indexOf(next), 1);
        now = next.at;
        next.wake();
      }
    },
  };
}
