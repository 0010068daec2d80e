import { failureOf, isSilent } from './failure.js';
import { type HubSession, sessionError, spelled } from './session.js';

/** The error for what the cache lacks when nothing may be asked. */
export function refuseOffline(session: HubSession, missing: readonly string[]): never {
  const named = missing.length === 0 ? '' : ` (without ${missing.slice(0, 3).join(', ')})`;
  throw sessionError(session, 'missing', {
    what: 'HF_HUB_OFFLINE is set, and the cache does not have all that is needed',
    value: spelled(session) + named,
    fix: `Run the command once without HF_HUB_OFFLINE, or copy the repository's folder into ${session.settings.cacheFolder}.`,
  });
}

/** What the cache has, with a note, where the hub gave no answer; else the error again. */
export function cacheInstead<T extends { readonly commit: string }>(
  session: HubSession,
  error: unknown,
  cached: T | null,
): T {
  if (cached === null || !isSilent(failureOf(error))) throw error;
  session.onNote(`The hub gives no answer: ${spelled(session)} is taken from the cache, at ${cached.commit}.`);
  return cached;
}
