import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fixtures of /work/shared/fixtures/{stats,rankcorr}: scipy 1.17.1, cross-checked with R 4.2.2 (gen_stats.py, gen_rankcorr.py). */
export function fixture<T>(path: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', 'golden', path), 'utf8')) as T;
}

/** Compares numbers one by one and keeps what differs, so that a test can say how many it compared. */
export function comparisons() {
  const wrong: string[] = [];
  const counts = { compared: 0 };
  const note = (right: boolean, at: string, actual: unknown, expected: unknown): void => {
    counts.compared++;
    if (!right) wrong.push(`${at}: ${actual} instead of ${expected}`);
  };
  return {
    wrong,
    counts,
    /** To 1e-12: sums and quantiles. */
    near(actual: number | null | undefined, expected: number | null, at: string): void {
      const right =
        typeof actual === 'number' && expected !== null ? Math.abs(actual - expected) <= 1e-12 : actual === expected;
      note(right, at, actual, expected);
    },
    /** To 1e-9 of the value, and to 1e-12 where it is not large: own special functions. */
    special(actual: number | null | undefined, expected: number | null, at: string): void {
      const off = Math.abs((actual ?? Number.NaN) - (expected ?? Number.NaN));
      const size = Math.abs(expected ?? 0);
      note(off <= 1e-9 * size && off <= 1e-12 * Math.max(1, size), at, actual, expected);
    },
    exactly(actual: unknown, expected: unknown, at: string): void {
      note(Object.is(actual, expected), at, actual, expected);
    },
  };
}
