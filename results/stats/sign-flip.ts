import type { Resampling } from './bootstrap.js';
import { signedSum, stateAt } from './draws.js';
import { requireFinite } from './finite.js';
import { powerOfTwo, tolerance } from './moments.js';

export interface SignFlip {
  /** Two-sided, in (0, 1]. */
  readonly p: number;
  /** All 2ⁿ sign patterns were counted. */
  readonly exact: boolean;
  /** Patterns counted, or drawn. */
  readonly resamples: number;
}

/** Up to here all patterns are counted. */
const exactLimit = 20;

/**
 * Fisher's randomization test: under the null each delta is as likely to have the other sign. p is the share of sign
 * patterns whose sum is at least as far from 0 as the one seen. Exact to n = 20, sampled beyond. Sums that differ by
 * 1e-12 (times Σ|d| where that is above 1) are equal. NaN and infinities are refused (`not-finite`).
 */
export function signFlip(deltas: Float64Array, plan: Resampling): SignFlip {
  if (deltas.length > exactLimit) return sampledSignFlip(deltas, plan);
  const { count, total } = countSignFlips(deltas);
  return { p: count / total, exact: true, resamples: total };
}

/**
 * How many of the 2ⁿ patterns are at least as extreme. The patterns of either half of the deltas are summed in Gray-code
 * order, one addition per step, and sorted; each sum of one half then finds by its threshold how many of the other
 * half's reach it. So 2 · 2^(n/2) sums stand for 2ⁿ, and none carries the rounding of more than 2^(n/2) steps. By symmetry
 * the lower side counts what the upper does.
 */
export function countSignFlips(deltas: Float64Array): { readonly count: number; readonly total: number } {
  const { scaled, bar } = prepare(deltas);
  const total = 2 ** deltas.length;
  if (bar <= 0) return { count: total, total };
  const half = deltas.length >> 1;
  const left = graySums(scaled.subarray(0, half)).sort();
  const right = graySums(scaled.subarray(half)).sort();
  let count = 0;
  let first = right.length;
  for (const sum of left) {
    while (first > 0 && sum + right[first - 1] >= bar) first--;
    count += right.length - first;
  }
  return { count: 2 * count, total };
}

/** Σ ±dᵢ over all patterns: step k flips the sign at the place of the lowest set bit of k. */
function graySums(deltas: Float64Array): Float64Array {
  const sums = new Float64Array(2 ** deltas.length);
  const signs = new Int8Array(deltas.length).fill(1);
  sums[0] = deltas.reduce((sum, delta) => sum + delta, 0);
  for (let k = 1; k < sums.length; k++) {
    const place = 31 - Math.clz32(k & -k);
    signs[place] = -signs[place];
    sums[k] = sums[k - 1] + 2 * signs[place] * deltas[place];
  }
  return sums;
}

/**
 * Drawn patterns, p = (b + 1) / (B + 1): the pattern seen counts as one of them (Phipson and Smyth 2010). Of each number
 * of the mulberry32 stream the lowest bit is one sign, 1 keeps it. Costs about 6 ns per delta and resample.
 */
export function sampledSignFlip(deltas: Float64Array, { resamples, seed }: Resampling): SignFlip {
  const { scaled, bar } = prepare(deltas);
  let count = 0;
  for (let r = 0; r < resamples; r++) {
    if (Math.abs(signedSum(scaled, stateAt(seed, r * scaled.length))) >= bar) count++;
  }
  return { p: (count + 1) / (resamples + 1), exact: false, resamples };
}

/** The deltas in a unit in which no sum overflows, and the least |sum| that counts. */
function prepare(deltas: Float64Array): { readonly scaled: Float64Array; readonly bar: number } {
  requireFinite(deltas, 'deltas');
  const unit = Math.max(1, powerOfTwo(deltas));
  const scaled = deltas.map((delta) => delta / unit);
  const size = scaled.reduce((sum, delta) => sum + Math.abs(delta), 0);
  const seen = Math.abs(scaled.reduce((sum, delta) => sum + delta, 0));
  return { scaled, bar: seen - tolerance * Math.max(1 / unit, size) };
}
