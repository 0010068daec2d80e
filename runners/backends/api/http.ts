import type { Json } from '../../../core/canonical.js';
import { attemptOnce, type Refused, type Request } from './attempt.js';
import { type Connection, failure } from './failures.js';
import { neverConnected } from './loss.js';
import { isTooLarge, retriesOf, waitMs } from './retry.js';
import type { Meter } from './spend.js';
import type { Waits } from './waits.js';

export interface Answer {
  readonly kind: 'answer';
  readonly json: unknown;
  readonly headers: Headers;
}

/** The service takes less at a time: ask for a part. */
export interface TooLarge {
  readonly kind: 'too-large';
  readonly refused: Refused;
}

/** JSON over HTTP with one service. Failures that waiting mends are tried again; others are errors that say what to do. */
export interface HttpClient {
  readonly connection: Connection;
  /** `path` is appended to the address. Rejects with the signal's reason when it is aborted. */
  readonly post: (path: string, body: Json, signal: AbortSignal) => Promise<Answer | TooLarge>;
  readonly get: (path: string) => Promise<Answer>;
}

/** Float numbers as JSON take about 20 bytes each: 2048 vectors of 3072 are 130 MB. */
const postAnswerBytes = 256 * 1024 * 1024;
const getAnswerBytes = 1024 * 1024;

export function httpClient(connection: Connection, waits: Waits, meter?: Meter): HttpClient {
  const request = (path: string, body: Json | null): Request => ({
    url: connection.address.url + path,
    body,
    key: connection.key,
    timeoutMs: connection.service.timeoutMs,
    answerBytes: body === null ? getAnswerBytes : postAnswerBytes,
  });
  const ask = (one: Request, signal: AbortSignal) =>
    answered(one, { connection, waits, signal, ...(meter && { meter }) });
  return {
    connection,
    post: (path, body, signal) => ask(request(path, body), signal),
    get: async (path) => {
      const outcome = await ask(request(path, null), new AbortController().signal);
      if (outcome.kind === 'answer') return outcome;
      throw failure(outcome.refused, connection, 0);
    },
  };
}

interface Asking {
  readonly connection: Connection;
  readonly waits: Waits;
  readonly signal: AbortSignal;
  readonly meter?: Meter;
}

async function answered(request: Request, { connection, waits, signal, meter }: Asking): Promise<Answer | TooLarge> {
  let sent: 'first' | 'again' = 'first';
  for (let retry = 0; ; retry++) {
    meter?.sent(sent);
    const attempt = await attemptOnce(request, waits, signal);
    if (attempt.kind === 'lost' && neverConnected(attempt.loss)) meter?.unsent(sent);
    else sent = 'again';
    if (attempt.kind === 'answer') return attempt;
    if (attempt.kind === 'refused' && isTooLarge(attempt)) return { kind: 'too-large', refused: attempt };
    if (retry >= retriesOf(attempt)) throw failure(attempt, connection, retry);
    await waits.wait(waitMs(attempt, retry, { nowMs: waits.nowMs(), random: waits.random() }), signal);
  }
}
