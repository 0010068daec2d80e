import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { schedules } from '../../runners/schedules/index.js';
import { slidingWindows } from '../../runners/schedules/windows.js';
import { perfectJudge } from './judges.js';

/** shared/fixtures/flops/call_counts.json: an independent implementation with a perfect comparator. */
const golden = JSON.parse(
  readFileSync(join(import.meta.dirname, '../golden/flops/call_counts.json'), 'utf8'),
) as Golden;

interface Golden {
  readonly sorts: readonly (Readonly<Record<string, number>> & { readonly order: readonly number[] } & {
    readonly n: number;
    readonly k: number;
  })[];
  readonly slidingWindows: readonly {
    readonly n: number;
    readonly w: number;
    readonly s: number;
    readonly windows: readonly (readonly [number, number])[];
  }[];
}

/** A comparison of a pairwise sort is two prompts; the fixture counts comparisons there, and prompts of setwise sorts. */
const columns = [
  ['pairwise.heapsort', 'pairwiseHeapComparisons', 2],
  ['pairwise.bubblesort', 'pairwiseBubbleComparisons', 2],
  ['setwise.heapsort@children=1', 'setwiseHeapCalls_c1', 1],
  ['setwise.heapsort', 'setwiseHeapCalls_c2', 1],
  ['setwise.heapsort@children=3', 'setwiseHeapCalls_c3', 1],
  ['setwise.heapsort@children=9', 'setwiseHeapCalls_c9', 1],
  ['setwise.bubblesort', 'setwiseBubbleCalls_c2', 1],
  ['setwise.bubblesort@children=3', 'setwiseBubbleCalls_c3', 1],
  ['setwise.bubblesort@children=9', 'setwiseBubbleCalls_c9', 1],
] as const;

describe('calls with a perfect comparator are those of the fixture', () => {
  it('has all 45 rows, each with every column', () => {
    expect(golden.sorts).toHaveLength(45);
    for (const row of golden.sorts) for (const [, column] of columns) expect(row[column]).toBeGreaterThan(0);
  });

  it.each(columns)('%s has %s', async (schedule, column, promptsEach) => {
    for (const row of golden.sorts) {
      const { order, calls } = await schedules.bind(schedule).rank(row.n, row.k, perfectJudge(row.order));
      expect(calls, `n ${row.n}, k ${row.k}`).toBe(promptsEach * row[column]);
      const top = order.slice(0, row.k).map((passage) => row.order[passage]);
      expect(top).toEqual([...row.order].sort((a, b) => b - a).slice(0, row.k));
    }
  });

  it.each(golden.slidingWindows)('windows of $w in steps of $s over $n', async ({ n, w, s, windows }) => {
    expect(slidingWindows(n, w, s).map(({ start, end }) => [start, end])).toEqual(windows);
    const relevance = Array.from({ length: n }, (_, i) => i);
    const { calls } = await schedules
      .bind(`listwise.generation@window=${w},step=${s}`)
      .rank(n, Math.min(10, n), perfectJudge(relevance));
    expect(calls).toBe(windows.length);
    expect(calls).toBe(Math.max(1, Math.ceil((n - w) / s) + 1));
  });

  it.each([1, 2, 10, 37])('closed forms at n = %i', async (n) => {
    const judge = perfectJudge(Array.from({ length: n }, (_, i) => (i * 7) % n));
    const calls = async (name: string) => (await schedules.bind(name).rank(n, Math.min(5, n), judge)).calls;
    expect(await calls('pointwise.yes_no')).toBe(n);
    expect(await calls('pointwise.qlm')).toBe(n);
    expect(await calls('pairwise.allpair')).toBe(n * (n - 1));
  });

  it('has the 245 prompts of the paper: five passes of windows of 4 in steps of 2 over 100', async () => {
    const judge = perfectJudge(Array.from({ length: 100 }, (_, i) => i));
    for (const name of ['listwise.generation', 'listwise.likelihood']) {
      const { calls } = await schedules.bind(`${name}@window=4,step=2,passes=5`).rank(100, 10, judge);
      expect(calls).toBe(245);
    }
  });
});
