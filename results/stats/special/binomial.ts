import { incompleteBeta } from './beta.js';

export interface Trials {
  readonly trials: number;
  /** The chance of a success, in [0, 1]. */
  readonly chance: number;
}

/** P(at most `successes` of the trials succeed), as I_{1−chance}(trials − successes, successes + 1) (DLMF 8.17.5). */
export function binomialCdf(successes: number, { trials, chance }: Trials): number {
  if (successes < 0) return 0;
  if (successes >= trials) return 1;
  return incompleteBeta({ a: trials - successes, b: successes + 1, x: 1 - chance, y: chance });
}

/** The two-sided sign test: how likely a split at least this uneven is when both sides are equally likely. 1 for 0 : 0. */
export function signTest(wins: number, losses: number): number {
  const trials = wins + losses;
  return Math.min(1, 2 * binomialCdf(Math.min(wins, losses), { trials, chance: 0.5 }));
}
