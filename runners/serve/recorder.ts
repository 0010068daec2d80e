import type { RequestPart } from '../../core/request-parts.js';
import type { Awaitable } from '../facts.js';
import type { CallTimes } from '../open-model.js';

/** What one request did. Milliseconds of a part that it does not have are absent, not 0. */
export interface RequestWork {
  readonly parts: Readonly<Partial<Record<RequestPart, number>>>;
  /** Tokens that went through models; null when one of them did not say. */
  readonly tokens: number | null;
  /** Documents scored by rerankers that score pairs. */
  readonly pairs: number;
}

/** What a model tells of one call while a request waits for it. */
interface CallReport {
  readonly times?: CallTimes;
  readonly tokens: number | null;
  readonly pairs: number;
}

/** Notes what one request does; it is used for one request and then thrown away. */
export interface Recorder {
  /** Runs a part. What a model tokenized meanwhile is taken out of it and counted as `tokenize`. */
  readonly timed: <T>(part: RequestPart, run: () => Awaitable<T>) => Promise<T>;
  readonly called: (report: CallReport) => void;
  readonly work: () => RequestWork;
}

/** Parts of one request follow one another, so that the clock needs no stack. */
export function newRecorder(nowMs: () => number): Recorder {
  const parts = new Map<RequestPart, number>();
  let [tokens, pairs]: [number | null, number] = [0, 0];
  const add = (part: RequestPart, ms: number) => void parts.set(part, (parts.get(part) ?? 0) + ms);
  return {
    timed: async (part, run) => {
      const tokenizedMs = parts.get('tokenize') ?? 0;
      const startMs = nowMs();
      const given = run();
      // An answer that is there already is not waited for: a turn of the event loop is longer than a small search.
      const result = given instanceof Promise ? await given : given;
      const tookMs = nowMs() - startMs;
      add(part, Math.max(0, tookMs - ((parts.get('tokenize') ?? 0) - tokenizedMs)));
      return result as Awaited<typeof result>;
    },
    called: (report) => {
      if (report.times !== undefined) add('tokenize', report.times.tokenizeMs);
      tokens = tokens === null || report.tokens === null ? null : tokens + report.tokens;
      pairs += report.pairs;
    },
    work: () => ({ parts: Object.fromEntries(parts), tokens, pairs }),
  };
}
