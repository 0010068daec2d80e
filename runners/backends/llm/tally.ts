import type { Counts } from '../../open-model.js';
import type { Work } from '../../system.js';
import type { ReplyFacts } from './reply.js';

/** What a ranker asked and got so far. */
export interface CallTotals {
  /** Prompts that were answered; tries that failed on the way are not counted. */
  readonly calls: number;
  /** As the service counts them; null when it left them out of an answer. */
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Answers that were understood only in part, or not in the form that was asked for. */
  readonly repaired: number;
  /** Answers that were not understood and changed nothing. */
  readonly malformed: number;
  /** Passages that were longer than is shown, once for each query. */
  readonly truncated: number;
}

export interface Tally {
  readonly answered: (reply: ReplyFacts, outcome: 'clean' | 'repaired' | 'malformed') => void;
  readonly truncated: (passages: number) => void;
  readonly totals: () => CallTotals;
  /** Tries after the first of prompts that were answered in the end. */
  readonly retries: () => number;
}

/** Counts; what it is told is also told to `whole`. */
export function newTally(whole?: Tally): Tally {
  let totals: CallTotals = {
    calls: 0,
    promptTokens: 0,
    completionTokens: 0,
    repaired: 0,
    malformed: 0,
    truncated: 0,
  };
  let retries = 0;
  return {
    answered: (reply, outcome) => {
      whole?.answered(reply, outcome);
      retries += reply.attempts - 1;
      totals = {
        ...totals,
        calls: totals.calls + 1,
        promptTokens: sum(totals.promptTokens, reply.promptTokens),
        completionTokens: sum(totals.completionTokens, reply.completionTokens),
        repaired: totals.repaired + (outcome === 'repaired' ? 1 : 0),
        malformed: totals.malformed + (outcome === 'malformed' ? 1 : 0),
      };
    },
    truncated: (passages) => {
      whole?.truncated(passages);
      totals = { ...totals, truncated: totals.truncated + passages };
    },
    totals: () => totals,
    retries: () => retries,
  };
}

/** What a run adds up besides its work. */
export function countsOf({ repaired, malformed, truncated }: CallTotals): Counts {
  return { 'llm.answers.repaired': repaired, 'llm.answers.malformed': malformed, 'llm.passages.truncated': truncated };
}

/** Tokens are left out where the service did not count them all: work is never guessed. */
export function workOf({ calls, promptTokens, completionTokens }: CallTotals): Work {
  return {
    calls,
    ...(promptTokens === null ? {} : { promptTokens }),
    ...(completionTokens === null ? {} : { completionTokens }),
  };
}

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
