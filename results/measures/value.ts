import type { TieValue } from '../types.js';

export const zero: TieValue = { expected: 0, min: 0, max: 0 };

/** One value whatever the order inside the ties. */
export function same(value: number): TieValue {
  return { expected: value, min: value, max: value };
}

/** The true mean lies between the extremes; rounding may put the computed one an ulp outside, which this takes back. */
export function between(min: number, expected: number, max: number): TieValue {
  return { expected: Math.min(Math.max(expected, min), max), min, max };
}

/** Every order has the same denominator, so the mean of the quotients is the quotient of the mean. 0 where it is 0. */
export function over(value: TieValue, denominator: number): TieValue {
  if (denominator === 0) return zero;
  return { expected: value.expected / denominator, min: value.min / denominator, max: value.max / denominator };
}
