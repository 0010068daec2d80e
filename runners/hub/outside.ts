import { symlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** Everything that a download needs of the world and that a test wants to steer: network, clock, chance, links. */
export interface HubOutside {
  readonly fetch: (url: string, sent: Sent) => Promise<Response>;
  readonly nowMs: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Ends early, with an error, when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Calls back once unless it is stopped before: time limits. */
  readonly startTimer: (ms: number, onEnd: () => void) => () => void;
  readonly symlink: (target: string, path: string) => Promise<void>;
}

export const realOutside: HubOutside = {
  fetch: (url, sent) => fetch(url, sent),
  nowMs: () => Date.now(),
  random: () => Math.random(),
  wait: (ms, signal) => delay(ms, undefined, { signal }),
  startTimer: (ms, onEnd) => {
    const timer = setTimeout(onEnd, ms);
    return () => clearTimeout(timer);
  },
  symlink: (target, path) => symlink(target, path),
};
