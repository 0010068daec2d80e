/** Time and chance, so that tests need neither. */
export interface Waits {
  readonly nowMs: () => number;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Ends after that time; rejects with the signal's reason as soon as it is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A signal that is aborted after that time unless it is cancelled before. */
  readonly deadline: (ms: number) => Deadline;
}

export interface Deadline {
  readonly signal: AbortSignal;
  readonly cancel: () => void;
}

export const systemWaits: Waits = { nowMs: () => Date.now(), random: () => Math.random(), wait, deadline };

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function deadline(ms: number): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, cancel: () => clearTimeout(timer) };
}
