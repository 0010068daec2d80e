import { TenbinError } from '../../core/errors.js';
import type { GradedList, TieValue } from '../types.js';
import { between } from './value.js';

/** `log2`: the grade itself (trec_eval). `exp-log2`: 2^grade - 1 (Burges et al., ICML 2005). */
export type Gain = 'log2' | 'exp-log2';

/** 2^1000 leaves room to add up: 24 binary digits of documents before a double overflows. */
const largestExponent = 1000;

export function gainOf(grade: number | null, gain: Gain): number {
  if (grade === null || grade <= 0) return 0;
  if (gain === 'log2') return grade;
  if (grade <= largestExponent) return 2 ** grade - 1;
  throw new TenbinError('not-finite', {
    what: 'A grade is too large for an exponential gain',
    value: String(grade),
    fix: "Use `nDCG` without `dcg='exp-log2'`, or grades on a scale of a few steps.",
  });
}

let table = new Float64Array(0);

/** 1 / log2(rank + 1) of a rank from 1. Kept in a table: logarithms would take most of the time of a nDCG. */
export function discount(rank: number): number {
  if (rank >= table.length)
    table = Float64Array.from({ length: Math.max(1024, rank * 2) }, (_, r) => 1 / Math.log2(r + 1));
  return table[rank];
}

/** DCG of gains that stand in rank order, as of an ideal list. */
export function sortedDcg(gains: readonly number[], k: number): number {
  let sum = 0;
  for (let i = 0; i < Math.min(gains.length, k); i++) sum += gains[i] * discount(i + 1);
  return sum;
}

/**
 * DCG@k over tie groups (McSherry and Najork, ECIR 2008): every place of a group holds the group's mean gain; the extremes
 * put the largest, or smallest, gains first.
 */
export function tiedDcg(list: GradedList, k: number, gain: Gain): TieValue {
  const sums = { expected: 0, min: 0, max: 0 };
  let start = 0;
  for (const end of list.groupEnds) {
    if (start >= k) break;
    if (end - start === 1) addOne(sums, gainOf(list.grades[start], gain) * discount(end));
    else addGroup(sums, gainsIn(list, start, end, gain), start, k);
    start = end;
  }
  return between(sums.min, sums.expected, sums.max);
}

type Sums = { -readonly [K in keyof TieValue]: TieValue[K] };

function addOne(sums: Sums, value: number): void {
  sums.expected += value;
  sums.min += value;
  sums.max += value;
}

/** Gains of the ranks [start, end) in ascending order; empty where all are 0, which is most groups of a long list. */
function gainsIn(list: GradedList, start: number, end: number, gain: Gain): number[] {
  const gains = list.grades.slice(start, end).map((grade) => gainOf(grade, gain));
  return gains.some((value) => value > 0) ? gains.sort((a, b) => a - b) : [];
}

function addGroup(sums: Sums, ascending: readonly number[], start: number, k: number): void {
  const size = ascending.length;
  const mean = ascending.reduce((sum, gain) => sum + gain, 0) / size;
  for (let i = 0; i < Math.min(size, k - start); i++) {
    const weight = discount(start + i + 1);
    sums.expected += mean * weight;
    sums.min += ascending[i] * weight;
    sums.max += ascending[size - 1 - i] * weight;
  }
}
