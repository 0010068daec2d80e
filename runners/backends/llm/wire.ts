import type { Json } from '../../../core/canonical.js';
import { TenbinError } from '../../../core/errors.js';
import type { ModelAccess } from '../../system.js';
import { addressOf } from '../api/address.js';
import { type Attempt, attemptOnce } from '../api/attempt.js';
import { type Connection, failure } from '../api/failures.js';
import { keyFor } from '../api/keys.js';
import { retriesOf, waitMs } from '../api/retry.js';
import { services } from '../api/services.js';
import type { Waits } from '../api/waits.js';

/** A way to one model of an OpenAI-compatible service; tries, pauses and sentences are those of every API. */
export interface Wire {
  readonly connection: Connection;
  readonly waits: Waits;
  /** Aborted when the model is closed; its reason is what requests then reject with. */
  readonly signal: AbortSignal;
  /** Bytes that an answer may have. */
  readonly answerBytes: number;
}

export interface Posted {
  readonly json: unknown;
  /** Tries, the one that was answered included. */
  readonly attempts: number;
}

/** The scored tokens of a long prompt are the longest answer: some 100 bytes each. */
export const usualAnswerBytes = 8 * 1024 * 1024;

/** OPENAI_BASE_URL and OPENAI_API_KEY; a key is wanted at OpenAI's own host only. Nothing is sent yet. */
export function connectionTo(model: string, environment: ModelAccess['environment']): Connection {
  const service = services.openai;
  const address = addressOf(service, environment);
  return { service, model, address, key: keyFor(service, address, environment) };
}

/** Posts JSON until there is an answer, or until trying again is of no use. */
export async function post(path: string, body: Json, wire: Wire): Promise<Posted> {
  const { connection, waits, signal, answerBytes } = wire;
  const { address, key, service } = connection;
  const request = { url: address.url + path, body, key, timeoutMs: service.timeoutMs, answerBytes };
  for (let retry = 0; ; retry++) {
    const attempt = await attemptOnce(request, waits, signal);
    if (attempt.kind === 'answer') return { json: attempt.json, attempts: retry + 1 };
    if (retry >= triesLeft(attempt)) throw told(attempt, failure(attempt, connection, retry));
    await waits.wait(waitMs(attempt, retry, { nowMs: waits.nowMs(), random: waits.random() }), signal);
  }
}

/** A 413 is about the request's size unless it says when to come again: it is then about the load. */
function triesLeft(attempt: Exclude<Attempt, { readonly kind: 'answer' }>): number {
  const isLoad = attempt.kind === 'refused' && attempt.status === 413 && attempt.retryAfter !== null;
  return retriesOf(isLoad ? { ...attempt, status: 503 } : attempt);
}

/** The status goes along, so that a parameter that a service does not know can be left out. */
function told(attempt: Exclude<Attempt, { readonly kind: 'answer' }>, error: TenbinError): TenbinError {
  if (attempt.kind !== 'refused') return error;
  return new TenbinError(error.code, { ...error.parts, cause: { status: attempt.status } });
}

/** The status with which the service refused a request; null for every other failure. */
export function refusedStatus(thrown: unknown): number | null {
  const cause = thrown instanceof TenbinError ? thrown.cause : null;
  const holds = typeof cause === 'object' && cause !== null && 'status' in cause && typeof cause.status === 'number';
  return holds ? Number(cause.status) : null;
}

export function closedError(): TenbinError {
  return new TenbinError('refused', {
    what: 'The model was closed while a request was under way',
    fix: 'Open it again.',
  });
}
