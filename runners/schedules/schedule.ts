/**
 * The contracts of reranking by questions: a schedule decides which passages are compared, a judge answers. Schedules
 * know nothing of models, so they are counted and tested against a judge that is always right, or never.
 */

/** Answers questions about the passages of one list, each named by its index; one method call is one prompt. */
export interface Judge {
  /** Prompts that may be under way at once. */
  readonly width: number;
  /** How well the passage answers the query; greater is better, never NaN. */
  readonly score: (passage: number) => Promise<number>;
  /** 0 when the passage shown first is the better one, else 1. */
  readonly prefer: (first: number, second: number) => Promise<0 | 1>;
  /** Where the best of these stands in the list. */
  readonly choose: (passages: readonly number[]) => Promise<number>;
  /** Places in the list, each once, best first. */
  readonly arrange: (passages: readonly number[]) => Promise<readonly number[]>;
}

/** What a prompt asks for, and what is read of the answer: its text, or the probabilities of its tokens. */
export type Question = 'relevance' | 'query-likelihood' | 'pair' | 'set' | 'list' | 'list-likelihood';

export interface Ranked {
  /** Every index once, best first; what was not sorted keeps its order behind the k best. */
  readonly order: readonly number[];
  /** Prompts that were put to the judge. */
  readonly calls: number;
}

export interface Schedule {
  /** Canonical text: `setwise.heapsort@children=3`; parameters at their default are left out. */
  readonly id: string;
  readonly summary: string;
  readonly question: Question;
  /** Passages in one prompt, at most. */
  readonly passagesPerCall: number;
  /** Prompts at most for the `k` best of `size`: exact for all but the heaps, whose number depends on the answers. */
  readonly callLimit: (size: number, k: number) => number;
  readonly rank: (size: number, k: number, judge: Judge) => Promise<Ranked>;
}

export interface ScheduleParts extends Omit<Schedule, 'rank'> {
  /** The best first, each index at most once, at least `k` of them; called with 1 ≤ k ≤ size. */
  readonly best: (size: number, k: number, judge: Judge) => Promise<readonly number[]>;
}

/** Adds what all schedules share: the bounds of k, the count of prompts, and the passages that were not sorted. */
export function makeSchedule({ best, callLimit, ...facts }: ScheduleParts): Schedule {
  const wanted = (size: number, k: number) => Math.max(0, Math.min(k, size));
  return {
    ...facts,
    callLimit: (size, k) => (wanted(size, k) === 0 ? 0 : callLimit(size, wanted(size, k))),
    rank: async (size, k, judge) => {
      const initial = Array.from({ length: size }, (_, i) => i);
      if (wanted(size, k) === 0) return { order: initial, calls: 0 };
      const counted = counting(judge);
      const first = await best(size, wanted(size, k), counted.judge);
      const placed = new Set(first);
      return { order: [...first, ...initial.filter((passage) => !placed.has(passage))], calls: counted.calls() };
    },
  };
}

function counting(judge: Judge): { readonly judge: Judge; readonly calls: () => number } {
  let calls = 0;
  const count = <Arguments extends readonly unknown[], Answer>(ask: (...given: Arguments) => Answer) => {
    return (...given: Arguments) => {
      calls++;
      return ask(...given);
    };
  };
  const { width, score, prefer, choose, arrange } = judge;
  const counted = {
    width,
    score: count(score),
    prefer: count(prefer),
    choose: count(choose),
    arrange: count(arrange),
  };
  return { judge: counted, calls: () => calls };
}
