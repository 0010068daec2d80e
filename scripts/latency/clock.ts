import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { TenbinError } from '../../core/errors.js';
import type { ServeClock } from '../../runners/serve/load.js';

export const monotonicClock: ServeClock = {
  nowMs: () => performance.now(),
  until: async (ms) => {
    let leftMs = ms - performance.now();
    if (leftMs <= 0) return void (await nextTurn());
    // Timers are whole milliseconds and may fire early; the rest of the last one is waited for in turns of the event loop.
    while (leftMs > 0) {
      if (leftMs > 2) await sleep(leftMs - 1);
      else await nextTurn();
      leftMs = ms - performance.now();
    }
  },
};

const readings = 20_000;

/** The smallest step that the clock was seen to make, its reading included: nothing finer can be told. */
export function clockResolutionMs(nowMs: () => number = monotonicClock.nowMs): number {
  let smallest = Number.POSITIVE_INFINITY;
  let last = nowMs();
  for (let i = 0; i < readings; i++) {
    const now = nowMs();
    if (now > last) smallest = Math.min(smallest, now - last);
    last = now;
  }
  if (Number.isFinite(smallest)) return smallest;
  throw new TenbinError('unavailable', {
    what: 'The clock of this machine does not move',
    value: `${last} ms after ${readings} readings`,
    fix: 'Times cannot be measured here; look at the clock source of the system.',
  });
}
