import { failureOf, type HubFailure, isSilent } from './failure.js';
import type { HubSession } from './session.js';

/** Without a connection there is no use in long tries. */
const tries = { usual: 5, unreachable: 3 } as const;
const backoffMs = { first: 500, longest: 20_000 } as const;
/** The hub's windows are of 5 minutes; who asks for longer is not waited for. */
const longestWaitMs = 310_000;
/** So much new data counts as a connection that works: tries are counted anew. */
const progressBytes = 1 << 20;

/** Does it again while the hub gives no answer of its own. `progress` grows as bytes arrive. */
export async function withRetries<T>(
  session: HubSession,
  action: () => Promise<T>,
  progress: () => number = () => 0,
): Promise<T> {
  let failures = 0;
  let before = progress();
  for (;;) {
    try {
      return await action();
    } catch (error) {
      session.signal.throwIfAborted();
      const failure = failureOf(error);
      if (failure === null || !isSilent(failure)) throw error;
      const now = progress();
      const moved = now - before >= progressBytes;
      failures = moved ? 1 : failures + 1;
      if (moved) before = now;
      const waitMs = delayMs(failure, failures, session.outside.random());
      const most = failure.kind === 'unreachable' ? tries.unreachable : tries.usual;
      if (failures >= most || waitMs > longestWaitMs) throw error;
      await pause(session, waitMs);
    }
  }
}

/** Doubling, half of it by chance, so that many who failed at once do not come back at once; or what the hub asks for. */
export function delayMs(failure: HubFailure, failures: number, random: number): number {
  const asked = 'retryAfterMs' in failure ? failure.retryAfterMs : null;
  if (asked !== null) return asked + random * backoffMs.first;
  const backoff = Math.min(backoffMs.longest, backoffMs.first * 2 ** (failures - 1));
  return backoff * (0.5 + random / 2);
}

async function pause(session: HubSession, waitMs: number): Promise<void> {
  if (waitMs >= 5000) session.onNote(`The hub asks for patience: next try in ${Math.ceil(waitMs / 1000)} s.`);
  try {
    await session.outside.wait(waitMs, session.signal);
  } catch (error) {
    session.signal.throwIfAborted();
    throw error;
  }
}
