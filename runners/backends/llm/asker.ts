import pLimit from 'p-limit';
import type { Digest } from '../../../core/digest.js';
import { reasonOf } from '../../../core/errors.js';
import type { CallLog, CallRecord } from './call-log.js';
import type { Reading } from './reading.js';
import type { ReplyFacts } from './reply.js';
import type { Tally } from './tally.js';

export interface Asked<Reply extends ReplyFacts, Value> {
  readonly query: Digest;
  readonly prompt: Digest;
  readonly send: () => Promise<Reply>;
  readonly read: (reply: Reply) => Reading<Value>;
}

export interface Asker {
  /** Puts one prompt, counts it, writes its line, and gives what the answer was taken to mean. */
  readonly ask: <Reply extends ReplyFacts, Value>(asked: Asked<Reply, Value>, tally: Tally) => Promise<Value>;
  /** Resolves when no prompt is under way any more. */
  readonly settled: () => Promise<void>;
}

export interface AskerParts {
  readonly model: string;
  readonly schedule: string;
  /** Prompts under way at once, over all queries. */
  readonly width: number;
  readonly log: CallLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Takes the key out of what a service said. */
  readonly conceal: (text: string) => string;
}

const answerCharacters = 4000;

export function newAsker(parts: AskerParts): Asker {
  const { log, now } = parts;
  const limit = pLimit(parts.width);
  const underWay = new Set<Promise<unknown>>();

  const ask = async <Reply extends ReplyFacts, Value>(asked: Asked<Reply, Value>, tally: Tally): Promise<Value> => {
    const startMs = now();
    const line = (end: CallEnd) => recordOf(parts, asked, { ...end, startMs });
    const reply = await asked.send().catch(async (thrown: unknown) => {
      // The failure itself is what is told; a log that cannot be written comes second.
      await log.append(line({ reply: null, outcome: 'failed', error: reasonOf(thrown) })).catch(() => undefined);
      throw thrown;
    });
    const { value, outcome } = asked.read(reply);
    tally.answered(reply, outcome);
    await log.append(line({ reply, outcome, error: null }));
    return value;
  };

  return {
    ask: (asked, tally) => {
      const answer = limit(() => ask(asked, tally));
      const end = answer.catch(() => undefined).finally(() => underWay.delete(end));
      underWay.add(end);
      return answer;
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

interface CallEnd {
  readonly reply: ReplyFacts | null;
  readonly outcome: CallRecord['outcome'];
  readonly error: string | null;
}

/** Everything that the service said goes in without the key. */
function recordOf(
  { model, schedule, now, conceal }: AskerParts,
  { query, prompt }: { readonly query: Digest; readonly prompt: Digest },
  { reply, outcome, error, startMs }: CallEnd & { readonly startMs: number },
): CallRecord {
  const shown = (text: string | null | undefined) => (text == null ? null : conceal(text).slice(0, answerCharacters));
  return {
    time: new Date(now()).toISOString(),
    model,
    servedModel: shown(reply?.servedModel),
    schedule,
    query,
    prompt,
    promptTokens: reply?.promptTokens ?? null,
    completionTokens: reply?.completionTokens ?? null,
    finishReason: shown(reply?.finishReason),
    outcome,
    attempts: reply?.attempts ?? null,
    latencyMs: now() - startMs,
    answer: shown(reply?.content),
    error: shown(error),
  };
}
