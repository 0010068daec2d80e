import type { Asked, HubFailure } from './failure.js';
import { hubError } from './hub-error.js';
import type { HubSession } from './session.js';

/** An answer whose body has not been read. `chunks` or `dispose` must be called, so that its connection is free again. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly url: URL;
  readonly chunks: () => AsyncGenerator<Uint8Array>;
  readonly dispose: () => Promise<void>;
}

type Headed = Readonly<Record<string, string>>;

interface Hop {
  readonly url: URL;
  readonly headers: Headed;
}

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/**
 * One GET, redirects followed by hand, at most 5. The token goes to the endpoint's origin only, and is not picked up
 * again once the way left it. `identity`: ranges, lengths and digests are of the file's own bytes.
 */
export async function get(session: HubSession, asked: Asked, address: string, range: Headed = {}): Promise<Answer> {
  const home = new URL(session.settings.endpoint);
  let url = new URL(address);
  refuseDowngrade(session, asked, [home, url]);
  let isHome = url.origin === home.origin;
  for (let hops = 0; ; hops += 1) {
    const authorization = isHome && session.token !== null ? { authorization: `Bearer ${session.token}` } : {};
    const headers = { 'user-agent': 'tenbin', 'accept-encoding': 'identity', ...range, ...authorization };
    const answer = await hop(session, asked, { url, headers });
    if (!redirects.includes(answer.status)) return answer;
    await answer.dispose();
    if (hops === 5) throw hubError(session, asked, { kind: 'redirect', why: 'more than 5 in a row' });
    const next = targetOf(session, asked, answer);
    refuseDowngrade(session, asked, [url, next]);
    isHome = isHome && next.origin === home.origin;
    url = next;
  }
}

function targetOf(session: HubSession, asked: Asked, { headers, url }: Answer): URL {
  const location = headers.get('location') ?? '';
  if (location !== '' && URL.canParse(location, url.href)) {
    const next = new URL(location, url);
    if (/^https?:$/.test(next.protocol) && next.username === '' && next.password === '') return next;
  }
  throw hubError(session, asked, { kind: 'redirect', why: 'it leads to no address on the web' });
}

function refuseDowngrade(session: HubSession, asked: Asked, [from, to]: readonly [URL, URL]): void {
  if (from.protocol !== 'https:' || to.protocol !== 'http:' || isLoopback(to.hostname)) return;
  throw hubError(session, asked, { kind: 'redirect', why: `from https to http, at ${to.host}` });
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

async function hop(session: HubSession, asked: Asked, { url, headers }: Hop): Promise<Answer> {
  const { outside, settings, signal } = session;
  const late = new AbortController();
  const stop = outside.startTimer(settings.answerMs, () => late.abort());
  try {
    const both = AbortSignal.any([signal, late.signal]);
    const response = await outside.fetch(url.href, { headers, redirect: 'manual', signal: both });
    return {
      status: response.status,
      headers: response.headers,
      url,
      chunks: () => chunksOf(session, asked, { response, late }),
      dispose: async () => response.body?.cancel().catch(() => undefined),
    };
  } catch (cause) {
    signal.throwIfAborted();
    const limitMs = settings.answerMs;
    throw hubError(session, asked, late.signal.aborted ? { kind: 'timeout', limitMs } : unreachable(cause));
  } finally {
    stop();
  }
}

/** `fetch failed` says nothing; its cause has the system's word. Texts of causes are not shown: they may hold an address. */
function unreachable(error: unknown): HubFailure {
  const cause = error instanceof Error ? (error.cause ?? error) : null;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'no connection';
  return { kind: 'unreachable', code: /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'no connection' };
}

async function* chunksOf(
  session: HubSession,
  asked: Asked,
  { response, late }: { readonly response: Response; readonly late: AbortController },
): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const { idleMs } = session.settings;
  try {
    for (;;) {
      const stop = session.outside.startTimer(idleMs, () => late.abort());
      const { done, value } = await reader.read().finally(stop);
      if (done) return;
      yield value;
    }
  } catch {
    session.signal.throwIfAborted();
    throw hubError(session, asked, late.signal.aborted ? { kind: 'timeout', limitMs: idleMs } : { kind: 'cut' });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
