import { inTurns } from './in-turns.js';
import type { Judge } from './schedule.js';

/**
 * Two prompts, each passage shown first once: models favour a place, so only a preference that survives the swap counts
 * (Qin et al., arXiv 2306.17563). An answer that changes with the order is a tie, which moves nothing.
 */
export async function beats(judge: Judge, challenger: number, holder: number): Promise<boolean> {
  const orders = [
    { first: challenger, second: holder, win: 0 },
    { first: holder, second: challenger, win: 1 },
  ];
  const wins = await inTurns(orders, judge.width, async ({ first, second, win }) => {
    return (await judge.prefer(first, second)) === win;
  });
  return wins.every(Boolean);
}
