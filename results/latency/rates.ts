import type { Sample } from './samples.js';

/** `in turns`: the time between its requests is the other system's. */
export type Turns = 'alone' | 'in turns';

/**
 * What was answered, scored and read in a second: from the first arrival to the last answer, and of a system that took turns with
 * another (one user, so that its requests do not overlap) in the time of its own requests. Null where no time passed or nothing was done.
 */
export function ratesOf(samples: readonly Sample[], turns: Turns) {
  const answered = samples.filter(({ failed }) => failed === undefined);
  const seconds = (turns === 'alone' ? spanMs(answered) : ownMs(samples)) / 1000;
  const perSecond = (amount: number | null) =>
    amount === null || amount === 0 || !(seconds > 0) ? null : amount / seconds;
  const tokens = answered.reduce<number | null>(
    (sum, sample) => (sum === null || sample.tokens === null ? null : sum + sample.tokens),
    0,
  );
  return {
    throughputPerSecond: perSecond(answered.length),
    pairsPerSecond: perSecond(answered.reduce((sum, { pairs }) => sum + pairs, 0)),
    tokensPerSecond: perSecond(tokens),
  };
}

function spanMs(answered: readonly Sample[]): number {
  const firstMs = answered.reduce((first, { arrivalMs }) => Math.min(first, arrivalMs), Number.POSITIVE_INFINITY);
  return answered.reduce((last, { endMs }) => Math.max(last, endMs), 0) - firstMs;
}

/** Failed requests took their time too. */
const ownMs = (samples: readonly Sample[]): number =>
  samples.reduce((sum, { arrivalMs, endMs }) => sum + (endMs - arrivalMs), 0);
