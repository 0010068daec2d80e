import type { ModelAccess } from '../../system.js';
import { withoutKey } from '../api/keys.js';
import { systemWaits, type Waits } from '../api/waits.js';
import { type CallLog, callLogPath, fileCallLog } from './call-log.js';
import { type ChatTransport, chatTransport } from './chat.js';
import { type EchoTransport, echoTransport } from './completion.js';
import { closedError, connectionTo, usualAnswerBytes } from './wire.js';

/** Everything that a ranker needs from outside. */
export interface LlmEdge {
  /** Host and path of the service, as conditions name it. */
  readonly address: string;
  readonly chat: ChatTransport;
  readonly echo: EchoTransport;
  readonly log: CallLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The text without the key. */
  readonly conceal: (text: string) => string;
  /** Ends requests that are under way. */
  readonly abort: () => void;
}

export interface EdgeOptions {
  readonly waits?: Waits;
  readonly answerBytes?: number;
}

/** The service that the environment names, and the log of that model. */
export function llmEdge(
  { environment, logFolder }: Pick<ModelAccess, 'environment' | 'logFolder'>,
  model: string,
  { waits = systemWaits, answerBytes = usualAnswerBytes }: EdgeOptions = {},
): LlmEdge {
  const closing = new AbortController();
  const connection = connectionTo(model, environment);
  const wire = { connection, waits, signal: closing.signal, answerBytes };
  return {
    address: connection.address.label,
    chat: chatTransport(wire),
    echo: echoTransport(wire),
    log: fileCallLog(callLogPath(logFolder, model), logFolder),
    now: waits.nowMs,
    conceal: (text) => withoutKey(text, connection.key),
    abort: () => closing.abort(closedError()),
  };
}
