import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schedules } from '../../runners/schedules/index.js';
import type { Judge } from '../../runners/schedules/schedule.js';
import { erraticJudge, perfectJudge } from './judges.js';

const everyName = schedules.plugins.map(({ name }) => name);
const variants = [
  ...everyName,
  'setwise.heapsort@children=1',
  'setwise.heapsort@children=7',
  'setwise.bubblesort@children=1',
  'setwise.bubblesort@children=7',
  'listwise.generation@window=2,step=1',
  'listwise.generation@window=5,step=4',
  'listwise.likelihood@window=4,step=2,passes=5',
];
const exact = variants.filter((name) => !name.startsWith('listwise'));
/** Heaps depend on the answers; every other schedule puts exactly as many prompts as it says. */
const fixedCount = variants.filter((name) => !name.includes('heapsort'));

// Few grades, so that ties are the rule.
const grades = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 24 });
const draws = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));
const drawn = (stream: Iterator<number>) => () => Number(stream.next().value);
const descending = (values: readonly number[]) => [...values].sort((a, b) => b - a);
const isPermutation = (order: readonly number[], size: number) =>
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, i) => i));

describe('with a judge that is right', () => {
  it.each(exact)('%s has the k best first, in order', async (name) => {
    await fc.assert(
      fc.asyncProperty(grades, fc.nat(30), async (relevance, k) => {
        const { order } = await schedules.bind(name).rank(relevance.length, k, perfectJudge(relevance));
        isPermutation(order, relevance.length);
        expect(order.slice(0, k).map((i) => relevance[i])).toEqual(descending(relevance).slice(0, k));
      }),
    );
  });

  it('a listwise pass carries window - step passages to the front, and everything where one window holds the list', async () => {
    const settings = fc.record({
      window: fc.integer({ min: 2, max: 9 }),
      share: fc.double({ min: 0, max: 0.99, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(grades, settings, async (relevance, { window, share }) => {
        const step = 1 + Math.floor(share * (window - 1));
        const schedule = schedules.bind(`listwise.generation@window=${window},step=${step}`);
        const { order } = await schedule.rank(relevance.length, 5, perfectJudge(relevance));
        const sure = relevance.length <= window ? relevance.length : window - step;
        isPermutation(order, relevance.length);
        expect(order.slice(0, sure).map((i) => relevance[i])).toEqual(descending(relevance).slice(0, sure));
      }),
    );
  });

  it('what was not sorted keeps its order behind the k best', async () => {
    const { order } = await schedules.bind('setwise.heapsort').rank(6, 2, perfectJudge([0, 5, 1, 4, 2, 3]));
    expect(order).toEqual([1, 3, 0, 2, 4, 5]);
  });
});

describe('with a judge that contradicts itself', () => {
  it.each(variants)('%s ends, and names every passage once', async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(24), fc.nat(30), draws, async (size, k, stream) => {
        const schedule = schedules.bind(name);
        const { order, calls } = await schedule.rank(size, k, erraticJudge(drawn(stream)));
        isPermutation(order, size);
        expect(calls).toBeLessThanOrEqual(schedule.callLimit(size, k));
      }),
    );
  });

  it.each(fixedCount)('%s puts exactly the prompts that it announces', async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(24), fc.nat(30), draws, async (size, k, stream) => {
        const schedule = schedules.bind(name);
        const { calls } = await schedule.rank(size, k, erraticJudge(drawn(stream)));
        expect(calls).toBe(schedule.callLimit(size, k));
      }),
    );
  });

  it('pairwise answers that follow the place are ties: nothing moves', async () => {
    for (const place of [0, 1] as const) {
      const judge: Judge = { ...perfectJudge([]), prefer: async () => place };
      for (const name of ['pairwise.allpair', 'pairwise.heapsort', 'pairwise.bubblesort']) {
        const { order } = await schedules.bind(name).rank(5, 1, judge);
        expect(order).toEqual([0, 1, 2, 3, 4]);
      }
    }
  });
});

describe('edges', () => {
  it.each(variants)('%s asks nothing for no passages or no places', async (name) => {
    const schedule = schedules.bind(name);
    expect(await schedule.rank(0, 10, perfectJudge([]))).toEqual({ order: [], calls: 0 });
    expect(await schedule.rank(3, 0, perfectJudge([1, 2, 3]))).toEqual({ order: [0, 1, 2], calls: 0 });
    expect([schedule.callLimit(0, 10), schedule.callLimit(3, 0)]).toEqual([0, 0]);
  });

  it('one passage is its own order, with a prompt only where a passage is judged by itself or by a window', async () => {
    const calls = await Promise.all(
      everyName.map(async (name) => [name, (await schedules.bind(name).rank(1, 3, perfectJudge([1]))).calls]),
    );
    expect(Object.fromEntries(calls)).toEqual({
      'pointwise.qlm': 1,
      'pointwise.yes_no': 1,
      'listwise.generation': 1,
      'listwise.likelihood': 1,
      'pairwise.allpair': 0,
      'pairwise.heapsort': 0,
      'pairwise.bubblesort': 0,
      'setwise.heapsort': 0,
      'setwise.bubblesort': 0,
    });
  });

  it('the limit of a heap is reached when every sift goes down to a leaf', async () => {
    // Ascending relevance: the parent always loses to its last child.
    const judge: Judge = { ...perfectJudge([]), choose: async (family) => Math.min(1, family.length - 1) };
    const schedule = schedules.bind('setwise.heapsort');
    expect((await schedule.rank(15, 4, judge)).calls).toBe(schedule.callLimit(15, 4));
  });

  it('never shows more passages than it says', async () => {
    for (const name of [
      'setwise.heapsort@children=4',
      'setwise.bubblesort@children=4',
      'listwise.generation@window=7,step=3',
    ]) {
      const schedule = schedules.bind(name);
      const shown: number[] = [];
      const right = perfectJudge(Array.from({ length: 40 }, (_, i) => (i * 11) % 40));
      const note =
        <T>(ask: (passages: readonly number[]) => Promise<T>) =>
        (passages: readonly number[]) => {
          shown.push(passages.length);
          return ask(passages);
        };
      await schedule.rank(40, 8, { ...right, choose: note(right.choose), arrange: note(right.arrange) });
      expect(Math.max(...shown)).toBe(schedule.passagesPerCall);
    }
  });

  it('orders infinities and refuses NaN', async () => {
    const { order } = await schedules
      .bind('pointwise.yes_no')
      .rank(4, 4, perfectJudge([-Infinity, Infinity, 0, Infinity]));
    expect(order).toEqual([1, 3, 2, 0]);
    await expect(schedules.bind('pointwise.yes_no').rank(2, 2, perfectJudge([0, Number.NaN]))).rejects.toThrow(
      'A judge gave NaN as a score: passage 1',
    );
  });

  it('keeps to the width, and stops asking after a failure', async () => {
    let open = 0;
    let most = 0;
    let asked = 0;
    const judge: Judge = {
      ...perfectJudge([]),
      width: 3,
      score: async (passage) => {
        asked++;
        most = Math.max(most, ++open);
        await Promise.resolve();
        open--;
        if (passage === 5) throw new Error('the sixth fails');
        return passage;
      },
    };
    await expect(schedules.bind('pointwise.yes_no').rank(1000, 10, judge)).rejects.toThrow('the sixth fails');
    // Whatever was still in the queue would be asked by now.
    await new Promise(setImmediate);
    expect(most).toBe(3);
    expect(asked).toBeLessThan(20);
  });
});

describe('names and parameters', () => {
  it('are those of the paper’s table', () => {
    expect([...everyName].sort()).toEqual([
      'listwise.generation',
      'listwise.likelihood',
      'pairwise.allpair',
      'pairwise.bubblesort',
      'pairwise.heapsort',
      'pointwise.qlm',
      'pointwise.yes_no',
      'setwise.bubblesort',
      'setwise.heapsort',
    ]);
  });

  it('print without their defaults and parse back', () => {
    expect(schedules.bind('setwise.heapsort@children=2').id).toBe('setwise.heapsort');
    expect(schedules.bind('listwise.generation@step=5,window=20').id).toBe('listwise.generation@step=5');
    for (const name of variants) expect(schedules.bind(schedules.bind(name).id).id).toBe(schedules.bind(name).id);
  });

  it.each([
    ['setwise.heapsort@children=0', /out of range/],
    ['setwise.heapsort@children=26', /out of range/],
    ['setwise.heapsort@children=2.5', /wants a whole number: children=2\.5/],
    ['setwise.heapsort@child=3', /children/],
    ['listwise.generation@window=10', /do not overlap/],
    ['listwise.generation@window=1,step=1', /out of range/],
    ['listwise.likelihood@window=21', /goes from 2 to 20/],
    ['pointwise.yes_no@5', /takes no argument/],
    ['setwise.heapsrt', /Did you mean `setwise\.heapsort`/],
  ])('%s is refused', (text, message) => {
    expect(() => schedules.bind(text)).toThrow(message);
  });
});
