import { mulberry32 } from '../../core/random.js';
import type { Schedule } from '../schedules/schedule.js';
import { callsOnOrder, type PromptsBySize } from './calls-on-order.js';

/** The list to be reranked, and the orders that a count which depends on the order is a mean over. */
export interface RerankList {
  readonly docs: number;
  readonly top: number;
  readonly orders: number;
  readonly seed: number;
}

/** Prompts for one query with a judge that is always right. */
export interface CallCounts {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** What no judge and no order exceeds. */
  readonly limit: number;
  /** Orders that were tried; 1 where every order takes the same number. */
  readonly orders: number;
  /** Prompts of all these orders together: divided by `orders` they are a mean. */
  readonly bySize: PromptsBySize;
}

/**
 * Runs the schedule itself, once where the number is fixed. Heaps stop sifting early, so theirs is a mean over seeded
 * random orders: a first stage that ranks well needs fewer.
 */
export async function countCalls(schedule: Schedule, list: RerankList): Promise<CallCounts> {
  const { docs, top, seed } = list;
  const limit = schedule.callLimit(docs, top);
  const bestFirst = await callsOnOrder(schedule, top, descending(docs));
  // A heap that starts in order never sifts below a root, so it reaches its limit only where no order takes fewer.
  if (total(bestFirst) === limit) {
    return { mean: limit, min: limit, max: limit, limit, orders: 1, bySize: sumOf([bestFirst]) };
  }
  const runs: PromptsBySize[] = [];
  const next = mulberry32(seed);
  for (let i = 0; i < list.orders; i++) runs.push(await callsOnOrder(schedule, top, shuffled(docs, next)));
  const totals = runs.map(total);
  const bySize = sumOf(runs);
  const [min, max] = [Math.min(...totals), Math.max(...totals)];
  return {
    mean: totals.reduce((sum, calls) => sum + calls, 0) / runs.length,
    min,
    max,
    limit,
    orders: runs.length,
    bySize,
  };
}

function descending(size: number): number[] {
  return Array.from({ length: size }, (_, i) => size - i);
}

/** Fisher and Yates, from the back. */
function shuffled(size: number, next: () => number): number[] {
  const list = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const other = Math.floor(next() * (i + 1));
    [list[i], list[other]] = [list[other], list[i]];
  }
  return list;
}

function total(bySize: PromptsBySize): number {
  return [...bySize.values()].reduce((sum, prompts) => sum + prompts, 0);
}

/** Sizes rise. */
function sumOf(runs: readonly PromptsBySize[]): PromptsBySize {
  const sums = new Map<number, number>();
  for (const run of runs) for (const [size, prompts] of run) sums.set(size, (sums.get(size) ?? 0) + prompts);
  return new Map([...sums].sort(([a], [b]) => a - b));
}
