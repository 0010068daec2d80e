import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsOnOrder } from '../../runners/cost/calls-on-order.js';
import { countCalls } from '../../runners/cost/rerank-calls.js';
import { schedules } from '../../runners/schedules/index.js';

/** shared/fixtures/flops/call_counts.json: an independent implementation with a perfect comparator. */
const golden = JSON.parse(
  readFileSync(join(import.meta.dirname, '../golden/flops/call_counts.json'), 'utf8'),
) as Golden;

interface Golden {
  readonly sorts: readonly (Readonly<Record<string, number>> & { readonly order: readonly number[] })[];
  readonly slidingWindows: readonly {
    readonly n: number;
    readonly w: number;
    readonly s: number;
    readonly windows: readonly (readonly [number, number])[];
  }[];
}

const list = { docs: 100, top: 10, orders: 10, seed: 1 };
const allNames = schedules.plugins.map(({ name }) => name);
const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, value) => total + value, 0);

/** Prompts of a comparison, and the schedules whose comparisons or prompts the fixture counts. */
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

describe('calls on a given order are those of the fixture', () => {
  it.each(columns)('%s, all 45 rows of %s', async (name, column, promptsEach) => {
    expect(golden.sorts).toHaveLength(45);
    const schedule = schedules.bind(name);
    for (const { k, order, [column]: comparisons } of golden.sorts) {
      const bySize = await callsOnOrder(schedule, k, order);
      expect(sum(bySize.values()), `n ${order.length}, k ${k}`).toBe(promptsEach * comparisons);
      expect(sum(bySize.values())).toBeLessThanOrEqual(schedule.callLimit(order.length, k));
      for (const passages of bySize.keys()) expect(passages).toBeLessThanOrEqual(schedule.passagesPerCall);
    }
  });

  it.each(golden.slidingWindows)('$n passages in windows of $w, steps of $s', async ({ n, w, s, windows }) => {
    const sizes = new Map<number, number>();
    for (const [start, end] of windows) sizes.set(end - start, (sizes.get(end - start) ?? 0) + 1);
    for (const kind of ['listwise.generation', 'listwise.likelihood']) {
      const counts = await countCalls(schedules.bind(`${kind}@window=${w},step=${s}`), { ...list, docs: n });
      expect(new Map(counts.bySize)).toEqual(sizes);
      expect(counts).toMatchObject({ orders: 1, mean: Math.max(1, Math.ceil((n - w) / s) + 1) });
    }
  });
});

describe('counts of a list', () => {
  it.each([0, 1, 2, 3, 10, 37, 100])('closed forms for %i passages', async (docs) => {
    const calls = async (name: string) => (await countCalls(schedules.bind(name), { ...list, docs })).mean;
    const top = Math.min(list.top, docs);
    expect(await calls('pointwise.yes_no')).toBe(docs);
    expect(await calls('pointwise.qlm')).toBe(docs);
    expect(await calls('pairwise.allpair')).toBe(docs * Math.max(0, docs - 1));
    const passes = Array.from({ length: top }, (_, i) => docs - 1 - i);
    expect(await calls('pairwise.bubblesort')).toBe(2 * sum(passes));
  });

  it('the paper’s five passes of windows of 4 in steps of 2 are 245 prompts', async () => {
    const counts = await countCalls(schedules.bind('listwise.generation@window=4,step=2,passes=5'), list);
    expect(counts).toMatchObject({ mean: 245, min: 245, max: 245, limit: 245, orders: 1 });
    expect(new Map(counts.bySize)).toEqual(new Map([[4, 245]]));
  });

  it('heaps are a mean over orders, with the least and the most', async () => {
    const counts = await countCalls(schedules.bind('setwise.heapsort'), { ...list, orders: 30 });
    expect(counts.orders).toBe(30);
    expect(counts.min).toBeLessThan(counts.max);
    expect(counts.mean).toBeGreaterThan(counts.min);
    expect(counts.mean).toBeLessThan(counts.max);
    expect(counts.max).toBeLessThanOrEqual(counts.limit);
    // metrics.md §D.3: about 140 at two children, 80 at three.
    expect(Math.abs(counts.mean - 140)).toBeLessThan(5);
    const three = await countCalls(schedules.bind('setwise.heapsort@children=3'), list);
    expect(Math.abs(three.mean - 80)).toBeLessThan(7);
    // 278 to 281 comparisons in the same place, of two prompts each.
    const pairs = await countCalls(schedules.bind('pairwise.heapsort'), list);
    expect(Math.abs(pairs.mean / 2 - 280)).toBeLessThan(8);
  });

  it('the same seed gives the same counts, another one others', async () => {
    const at = (seed: number) =>
      countCalls(schedules.bind('pairwise.heapsort'), { ...list, docs: 40, orders: 3, seed });
    expect(await at(7)).toEqual(await at(7));
    expect((await at(7)).mean).not.toBe((await at(8)).mean);
  });

  it.each(allNames)(
    '%s: nothing to rerank takes no prompt, and more places than passages are all places',
    async (name) => {
      const schedule = schedules.bind(name);
      expect(await countCalls(schedule, { ...list, docs: 0 })).toMatchObject({ mean: 0, limit: 0, orders: 1 });
      expect(await countCalls(schedule, { ...list, top: 0 })).toMatchObject({ mean: 0, limit: 0 });
      const beyond = await countCalls(schedule, { ...list, docs: 12, top: 50 });
      expect(beyond).toEqual(await countCalls(schedule, { ...list, docs: 12, top: 12 }));
    },
  );

  it('prompts by size add up to the mean, and none is larger than the schedule says', async () => {
    const texts = fc.constantFrom(
      ...allNames,
      'setwise.heapsort@children=5',
      'setwise.bubblesort@children=4',
      'listwise.generation@window=7,step=3',
    );
    const property = fc.asyncProperty(texts, fc.nat(40), fc.nat(45), fc.nat(1000), async (name, docs, top, seed) => {
      const schedule = schedules.bind(name);
      const counts = await countCalls(schedule, { docs, top, orders: 4, seed });
      expect(sum(counts.bySize.values()) / counts.orders).toBe(counts.mean);
      expect(counts.limit).toBe(schedule.callLimit(docs, top));
      expect(counts.min).toBeLessThanOrEqual(counts.max);
      expect(counts.max).toBeLessThanOrEqual(counts.limit);
      for (const passages of counts.bySize.keys()) expect(passages).toBeLessThanOrEqual(schedule.passagesPerCall);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('a number that is given as fixed is the same on every order', async () => {
    const order = fc
      .integer({ min: 0, max: 30 })
      .chain((size) => fc.shuffledSubarray([...Array(size).keys()], { minLength: size }));
    const property = fc.asyncProperty(fc.constantFrom(...allNames), order, fc.nat(12), async (name, relevance, top) => {
      const schedule = schedules.bind(name);
      const counts = await countCalls(schedule, { docs: relevance.length, top, orders: 3, seed: 5 });
      const bySize = await callsOnOrder(schedule, top, relevance);
      if (counts.orders === 1) expect(new Map(bySize)).toEqual(new Map(counts.bySize));
      else expect(sum(bySize.values())).toBeLessThanOrEqual(counts.limit);
    });
    await fc.assert(property, { numRuns: 120 });
  });
});
