import type { Attempt, Refused } from './attempt.js';

const firstWaitMs = 500;
const longestWaitMs = 30_000;
/** A service that wants a longer rest is asked once more after this one, and then the run ends with its message. */
const longestRetryAfterMs = 60_000;

const busyStatuses = new Set([408, 429, 500, 502, 503, 504]);
/** Tries after the first. A host that is not there is seldom there a minute later, and somebody waits for the answer. */
const busyRetries = 5;
const absentRetries = 2;

/** How often that may be tried again. */
export function retriesOf(attempt: Attempt): number {
  if (attempt.kind === 'lost') {
    if (attempt.loss === 'certificate' || attempt.loss === 'blocked-port') return 0;
    return attempt.loss === 'dropped' ? busyRetries : absentRetries;
  }
  if (attempt.kind !== 'refused') return 0;
  if (!busyStatuses.has(attempt.status) && !isFullForNow(attempt)) return 0;
  return isOutOfCredit(attempt) ? 0 : busyRetries;
}

/** A 413 that says when to come again is about the load, not about the request (RFC 9110, 15.5.14). */
function isFullForNow({ status, retryAfter }: Refused): boolean {
  return status === 413 && retryAfter !== null;
}

/** A 429 of a used-up quota does not go away by waiting. */
export function isOutOfCredit({ status, code, message }: Refused): boolean {
  if (status === 402 || /insufficient_(quota|balance)/i.test(code)) return true;
  return (status === 403 || status === 429) && /insufficient (account )?(balance|quota|credit)/i.test(message);
}

/**
 * The request holds more than the service takes: too long a text, too many texts, too many tokens at once. Services name
 * it in words of their own; what follows is to ask for less, so a false alarm costs requests and ends in their message.
 */
export function isTooLarge(refused: Refused): boolean {
  const { status, code, message } = refused;
  if (status === 413) return !isFullForNow(refused);
  if (status === 429) return /request too large/i.test(message);
  if (status !== 400 && status !== 422 && status !== 500) return false;
  const said = `${code} ${message}`;
  if (/context.(length|size|window)|max_tokens_per_request/i.test(said)) return true;
  return status !== 500 && tooMuch.test(said);
}

const tooMuch =
  /\b(inputs?|texts?|documents?|prompt|sequence|batch|payload|request|list|array)\b.{0,80}\b(too (long|large|many)|exceeds?|larger than|at most|less than \d+ tokens)|\bmaximum\b.{0,40}\b(tokens|batch|length|size|documents)\b|batch size \d+ >/is;

/** The wait before try number `retry` + 2: what the service asks for, else longer each time, and never all at once. */
export function waitMs(attempt: Attempt, retry: number, clock: { nowMs: number; random: number }): number {
  const asked = attempt.kind === 'refused' ? retryAfterMs(attempt.retryAfter, clock.nowMs) : null;
  if (asked !== null) return asked;
  const full = Math.min(longestWaitMs, firstWaitMs * 2 ** retry);
  return full * (0.5 + clock.random / 2);
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), at most a minute; null when it is neither. */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  const isSeconds = /^\d+(\.\d+)?$/.test(text);
  const isDate = /^[A-Za-z]{3,9},? /.test(text);
  const ms = isSeconds ? 1000 * Number(text) : isDate ? Date.parse(text) - nowMs : Number.NaN;
  return Number.isNaN(ms) ? null : Math.min(longestRetryAfterMs, Math.max(0, ms));
}
