import type { Asked, HubFailure } from './failure.js';
import { hubError } from './hub-error.js';
import type { Answer } from './request.js';
import { retryAfterMs } from './retry-after.js';
import type { HubSession } from './session.js';

/** Disposes of an answer that is not the wanted one and throws what it stands for. */
export async function refuseAnswer(session: HubSession, asked: Asked, answer: Answer): Promise<never> {
  await answer.dispose();
  throw hubError(session, asked, statusFailure(session, asked, answer));
}

/**
 * The hub says why in `X-Error-Code`: to those without a token it answers 401 with `RepoNotFound` for what is missing.
 * A storage host behind a redirect speaks for itself only: its address is asked for anew, as signed ones run out.
 */
function statusFailure(session: HubSession, asked: Asked, { status, headers, url }: Answer): HubFailure {
  const wait = retryAfterMs(headers, session.outside.nowMs());
  if (status === 429) return { kind: 'rate-limited', retryAfterMs: wait };
  if (status === 408 || status >= 500) return { kind: 'server', status, retryAfterMs: wait };
  if (url.origin !== new URL(session.settings.endpoint).origin) return { kind: 'server', status, retryAfterMs: null };
  const token = session.token === null ? 'none' : 'sent';
  switch (headers.get('x-error-code')) {
    case 'GatedRepo':
      return { kind: 'gated', token };
    case 'RepoNotFound':
      return { kind: 'missing', part: 'repository' };
    case 'RevisionNotFound':
      return { kind: 'missing', part: 'revision' };
    case 'EntryNotFound':
      return { kind: 'missing', part: asked.kind === 'file' ? 'file' : 'repository or revision' };
  }
  if (status === 401) return { kind: 'unauthorized', token };
  if (status === 403) return { kind: 'forbidden', token };
  if (status !== 404) return { kind: 'status', status };
  return { kind: 'missing', part: asked.kind === 'file' ? 'file' : 'repository or revision' };
}
