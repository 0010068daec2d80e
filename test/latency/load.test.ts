import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairedOrder, poissonArrivalsMs, queryOrder } from '../../runners/serve/arrivals.js';
import { type Load, runLoad } from '../../runners/serve/load.js';
import { virtualClock } from './virtual-clock.js';

/** Runs requests that take these times under a load; times of arrival, start and end of each. */
async function timesOf(load: Load, slots: number, serviceMs: readonly number[]) {
  const clock = virtualClock();
  let [busy, most] = [0, 0];
  const answers = await clock.play(
    runLoad({
      load,
      slots,
      requests: serviceMs.length,
      clock,
      serve: async (request) => {
        most = Math.max(most, ++busy);
        await clock.until(clock.nowMs() + serviceMs[request]);
        busy--;
        return request;
      },
    }),
  );
  return { times: answers.map(({ arrivalMs, startMs, endMs }) => [arrivalMs, startMs, endMs]), most, answers };
}

/** Lindley's recursion: with one slot a request starts when it has come and the one before has gone. */
function oneServer(arrivals: readonly number[], services: readonly number[]) {
  let free = 0;
  return arrivals.map((arrival, i) => {
    const start = Math.max(arrival, free);
    free = start + services[i];
    return [arrival, start, free];
  });
}

const services = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 40 });

describe('open load', () => {
  test('one slot is a queue: waiting counts from the arrival that was due', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 50 })), { maxLength: 40 }),
        async (rows) => {
          let at = 0;
          const arrivals = rows.map(([gap]) => {
            at += gap;
            return at;
          });
          const taken = rows.map(([, ms]) => ms);
          const { times } = await timesOf({ kind: 'open', arrivalsMs: Float64Array.from(arrivals) }, 1, taken);
          expect(times).toEqual(oneServer(arrivals, taken));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a system slower than its requests cannot hide its queue: it grows by what is lacking', async () => {
    const arrivalsMs = Float64Array.from({ length: 50 }, (_, i) => 10 * i);
    const { times } = await timesOf({ kind: 'open', arrivalsMs }, 1, Array(50).fill(15));
    expect(times.map(([arrival, start]) => start - arrival)).toEqual(Array.from({ length: 50 }, (_, i) => 5 * i));
  });

  test('with slots for all nobody waits', async () => {
    const arrivalsMs = Float64Array.from({ length: 8 }, (_, i) => i);
    const { times, most } = await timesOf({ kind: 'open', arrivalsMs }, 8, Array(8).fill(100));
    expect(times.every(([arrival, start]) => arrival === start)).toBe(true);
    expect(most).toBe(8);
  });
});

describe('a clock whose timers are late', () => {
  /** Wakes a millisecond and a half after it should. */
  const late = () => {
    let [now, turns] = [0, 0];
    const until = async (ms: number) => {
      turns++;
      now = Math.max(now, ms + 1.5);
    };
    return { nowMs: () => now, until, turns: () => turns };
  };

  test('takes nothing from an open request, which arrived when it was due', async () => {
    const clock = late();
    const load = { kind: 'open', arrivalsMs: Float64Array.of(2, 10) } as const;
    const answers = await runLoad({ load, slots: 2, requests: 2, clock, serve: async () => 0 });
    expect(answers.map(({ arrivalMs }) => arrivalMs)).toEqual([2, 10]);
    for (const { arrivalMs, startMs } of answers) expect(startMs - arrivalMs).toBeGreaterThanOrEqual(1.5);
  });

  test('is given a turn after every answer, so that the program hears other things', async () => {
    const clock = late();
    await runLoad({ load: { kind: 'closed', users: 1 }, slots: 1, requests: 7, clock, serve: async () => 0 });
    expect(clock.turns()).toBe(7);
  });
});

describe('closed load', () => {
  test('one user is alone: no request waits, and each comes when the one before is answered', async () => {
    await fc.assert(
      fc.asyncProperty(services, async (taken) => {
        const { times, most } = await timesOf({ kind: 'closed', users: 1 }, 1, taken);
        const alone = taken.map((_, i) => taken.slice(0, i).reduce((sum, ms) => sum + ms, 0));
        expect(times).toEqual(taken.map((ms, i) => [alone[i], alone[i], alone[i] + ms]));
        expect(most).toBe(1);
      }),
      { numRuns: 20 },
    );
  });

  test('of N users and one slot, N − 1 wait for all before them', async () => {
    const { times, most } = await timesOf({ kind: 'closed', users: 4 }, 1, Array(20).fill(10));
    expect(times.slice(4).every(([arrival, start]) => start - arrival === 30)).toBe(true);
    expect(times.slice(0, 4).map(([, start]) => start)).toEqual([0, 10, 20, 30]);
    expect(most).toBe(1);
  });

  test('no more are served at once than there are slots or users, and every request is asked once', async () => {
    await fc.assert(
      fc.asyncProperty(
        services,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        async (taken, users, slots) => {
          const { most, answers } = await timesOf({ kind: 'closed', users }, slots, taken);
          expect(most).toBeLessThanOrEqual(Math.min(users, slots));
          expect(answers.map(({ request }) => request)).toEqual(taken.map((_, i) => i));
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('what goes wrong', () => {
  const clock = virtualClock();
  const base = { load: { kind: 'closed', users: 2 }, slots: 1, requests: 6, clock } as const;

  test('a request that fails is kept with its reason and its time, and the others go on', async () => {
    const answers = await clock.play(
      runLoad({
        ...base,
        serve: async (request) => {
          await clock.until(clock.nowMs() + 3);
          if (request % 2 === 1) throw new Error(`no ${request}`);
          return request;
        },
      }),
    );
    expect(answers.map(({ outcome }) => outcome)).toEqual([
      { work: 0 },
      { failed: 'no 1' },
      { work: 2 },
      { failed: 'no 3' },
      { work: 4 },
      { failed: 'no 5' },
    ]);
    expect(answers.every(({ startMs, endMs }) => endMs - startMs === 3)).toBe(true);
  });

  test.each([
    { kind: 'closed', users: 3 } as const,
    { kind: 'open', arrivalsMs: Float64Array.of(0, 1, 2, 3, 4, 5) } as const,
  ])('when it is stopped, those that were started are kept: $kind', async (load) => {
    let answered = 0;
    const answers = await clock.play(
      runLoad({
        ...base,
        load,
        isStopped: () => answered >= 2,
        onAnswer: () => answered++,
        serve: async (request) => {
          await clock.until(clock.nowMs() + 10);
          return request;
        },
      }),
    );
    expect(answers.map(({ request }) => request)).toEqual([0, 1]);
  });

  test('no requests are no answers', async () => {
    expect(await clock.play(runLoad({ ...base, requests: 0, serve: async () => 0 }))).toEqual([]);
  });
});

describe('arrivals', () => {
  test('come at the rate on average, with the spread of a Poisson process, the same for a seed', () => {
    const arrivals = poissonArrivalsMs(20_000, 50, 3);
    const gaps = Array.from(arrivals, (at, i) => at - (i === 0 ? 0 : arrivals[i - 1]));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    // 20 ms; exponential gaps have a standard deviation as large as their mean. Four standard errors of each.
    expect(Math.abs(mean - 20)).toBeLessThan((4 * 20) / Math.sqrt(20_000));
    expect(Math.abs(Math.sqrt(variance) / mean - 1)).toBeLessThan(4 / Math.sqrt(20_000));
    expect(gaps.every((gap) => gap >= 0)).toBe(true);
    expect(poissonArrivalsMs(20_000, 50, 3)).toEqual(arrivals);
    expect(poissonArrivalsMs(5, 50, 4)).not.toEqual(arrivals.slice(0, 5));
    expect(poissonArrivalsMs(0, 50, 3)).toHaveLength(0);
  });

  test('ask every query once before any is asked again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 1, max: 60 }),
        fc.nat(),
        (count, queries, seed) => {
          const order = [...queryOrder(count, queries, seed)];
          expect(order).toHaveLength(count);
          for (let from = 0; from < count; from += queries) {
            const round = order.slice(from, from + queries);
            expect(new Set(round).size).toBe(round.length);
            expect(round.every((query) => query >= 0 && query < queries)).toBe(true);
          }
          expect([...queryOrder(count, queries, seed)]).toEqual(order);
        },
      ),
    );
  });

  test('rounds are shuffled anew', () => {
    const order = [...queryOrder(60, 30, 1)];
    expect(order.slice(0, 30)).not.toEqual(order.slice(30));
  });

  test('in turns, each of two comes once in every pair, and first about half of the time', () => {
    const sides = pairedOrder(4000, 9);
    let first = 0;
    for (let i = 0; i < sides.length; i += 2) {
      expect(sides[i] + sides[i + 1]).toBe(1);
      first += sides[i];
    }
    // Four standard deviations of a fair coin.
    expect(Math.abs(first - 2000)).toBeLessThan(4 * Math.sqrt(1000));
  });
});
