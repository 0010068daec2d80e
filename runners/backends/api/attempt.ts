import ky from 'ky';
import type { Json } from '../../../core/canonical.js';
import { parseAnswer, problemOf } from './answer-json.js';
import { withoutKey } from './keys.js';
import { type Loss, lossOf } from './loss.js';
import type { Waits } from './waits.js';

export interface Request {
  readonly url: string;
  /** Null asks with GET. */
  readonly body: Json | null;
  readonly key: string | null;
  readonly timeoutMs: number;
  /** Bytes that an answer may have, decompressed. */
  readonly answerBytes: number;
}

export interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  /** Without the key. */
  readonly message: string;
  readonly code: string;
  readonly retryAfter: string | null;
  /** Of a redirect. */
  readonly location: string | null;
}

/** What came of one try. No case holds the key. */
export type Attempt =
  | { readonly kind: 'answer'; readonly json: unknown; readonly headers: Headers }
  | Refused
  | { readonly kind: 'lost'; readonly loss: Loss; readonly cause: unknown }
  /** An answer that cannot be used, and asking again would give the same. */
  | { readonly kind: 'unreadable'; readonly why: string };

const problemBytes = 64 * 1024;

/** One request and its whole answer. Rejects only when `signal` is aborted, with its reason. */
export async function attemptOnce(request: Request, waits: Waits, signal: AbortSignal): Promise<Attempt> {
  const deadline = waits.deadline(request.timeoutMs);
  try {
    const response = await send(request, AbortSignal.any([signal, deadline.signal]));
    return response.ok ? await answerOf(response, request) : await refusalOf(response, request);
  } catch (cause) {
    signal.throwIfAborted();
    return { kind: 'lost', loss: deadline.signal.aborted ? 'timeout' : lossOf(cause), cause };
  } finally {
    deadline.cancel();
  }
}

function send({ url, body, key }: Request, signal: AbortSignal): Promise<Response> {
  return ky(url, {
    method: body === null ? 'get' : 'post',
    ...(body === null ? {} : { json: body }),
    headers: { accept: 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    // A redirect is seen and not followed: the key and the texts go to no other host.
    redirect: 'manual',
    signal,
    // One try, headers and body together, is timed by the deadline; who tries again is decided outside.
    timeout: false,
    retry: 0,
    throwHttpErrors: false,
  });
}

async function answerOf(response: Response, { answerBytes, key }: Request): Promise<Attempt> {
  const { text, isWhole } = await readUpTo(response, answerBytes);
  if (!isWhole) return { kind: 'unreadable', why: `an answer of more than ${answerBytes} bytes` };
  const parsed = parseAnswer(text);
  if (parsed !== null) return { kind: 'answer', json: parsed.json, headers: response.headers };
  const type = response.headers.get('content-type') ?? 'no content type';
  return { kind: 'unreadable', why: `not JSON (${withoutKey(type, key)}): ${withoutKey(text.trim(), key)}` };
}

async function refusalOf(response: Response, { key }: Request): Promise<Refused> {
  const { text } = await readUpTo(response, problemBytes);
  const { message, code } = problemOf(text);
  const location = response.headers.get('location');
  return {
    kind: 'refused',
    status: response.status,
    message: withoutKey(message, key),
    code: withoutKey(code, key),
    retryAfter: response.headers.get('retry-after'),
    location: location === null ? null : withoutKey(location, key),
  };
}

/** The body as text, as far as the limit reaches; the rest is not read. */
export async function readUpTo(
  response: Response,
  limitBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (body !== null) {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, limitBytes - bytes));
      bytes += chunk.byteLength;
      if (bytes > limitBytes) break;
    }
  }
  return { text: new TextDecoder().decode(Buffer.concat(chunks)), isWhole: bytes <= limitBytes };
}
