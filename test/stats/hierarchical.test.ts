import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyedHash } from '../../core/keyed-hash.js';
import { mulberry32 } from '../../core/random.js';
import { bootstrapMeans, bootstrapRange } from '../../results/stats/bootstrap.js';
import { uniformAt } from '../../results/stats/draws.js';
import {
  type Hierarchy,
  hierarchicalBootstrap,
  drawLevels as levels,
  type TaskValues,
} from '../../results/stats/hierarchical.js';
import { moments } from '../../results/stats/moments.js';

/** Tasks t0 … of three suites with 3 to 11 queries each, and some systems. */
function tasksOf(count: number, systems: number): TaskValues[] {
  return Array.from({ length: count }, (_, t) => ({
    id: `t${t}`,
    suite: `s${t % 3}`,
    values: Array.from({ length: systems }, (_, s) => {
      const uniform = mulberry32(1000 * s + t);
      return Float64Array.from({ length: 3 + (t % 9) }, () => uniform() + t / 10);
    }),
  }));
}

/** The plain loop of Efron's bootstrap over one stream. */
function naiveMeans(values: Float64Array, seed: number, resamples: number): number[] {
  const uniform = mulberry32(seed);
  return Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(uniform() * values.length)];
    return sum / values.length;
  });
}

/** Numbers of a stream, the i-th and on. */
function streamFrom(seed: number, start: number): () => number {
  const uniform = mulberry32(seed);
  for (let i = 0; i < start; i++) uniform();
  return uniform;
}

/** One resample of one system, drawn as the documentation says, each stream run from its start. */
function naiveResample(tasks: readonly TaskValues[], { seed, level }: Hierarchy, at: { system: number; r: number }) {
  const means: number[] = [];
  const suites = ['s0', 's1', 's2'].map((suite) => {
    const members = tasks.filter((task) => task.suite === suite).sort((a, b) => (a.id < b.id ? -1 : 1));
    const longest = Math.max(...members.map(({ values }) => values[0].length));
    const drawTask = streamFrom(keyedHash(`bootstrap tasks ${seed}`, suite), at.r * members.length);
    const ofSuite = members.map((member, slot) => {
      const { id, values } = level === 'queries' ? member : members[Math.floor(drawTask() * members.length)];
      const own = values[at.system];
      const queries =
        level === 'queries'
          ? streamFrom(keyedHash(`bootstrap ${seed}`, id), at.r * own.length)
          : streamFrom(keyedHash(`bootstrap queries ${slot} ${seed}`, suite), at.r * longest);
      const drawn = own.map((value) => (level === 'tasks' ? value : own[Math.floor(queries() * own.length)]));
      return drawn.reduce((sum, value) => sum + value, 0) / own.length;
    });
    means.push(...ofSuite);
    return ofSuite.reduce((sum, mean) => sum + mean, 0) / ofSuite.length;
  });
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { micro: mean(means), macro: mean(suites) };
}

test('bootstrap means of any number of series are those of the plain loop, and ranges join', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 40 }), fc.nat(), (count, length, seed) => {
      const series = Array.from({ length: count }, (_, k) =>
        Float64Array.from({ length }, (_, i) => Math.sin(k * 31 + i)),
      );
      const means = bootstrapMeans(series, { resamples: 70, seed });
      series.forEach((values, k) => {
        expect([...means[k]]).toEqual(naiveMeans(values, seed, 70));
        const parts = [
          { from: 0, count: 33 },
          { from: 33, count: 0 },
          { from: 33, count: 37 },
        ];
        expect(parts.flatMap((part) => [...bootstrapRange(series, seed, part)[k]])).toEqual([...means[k]]);
      });
    }),
    { numRuns: 40 },
  );
  expect(bootstrapMeans([], { resamples: 5, seed: 1 })).toEqual([]);
});

test('a stream can be entered anywhere', () => {
  for (const seed of [0, 1, 2 ** 32 - 1, 2 ** 52 - 1]) {
    const uniform = mulberry32(seed);
    for (let i = 0; i < 50; i++) expect(uniformAt(seed, i)).toBe(uniform());
  }
});

test.each(levels)('drawing %s gives what the naive loop gives, for each system of several', (level) => {
  for (const systems of [1, 2, 5]) {
    const tasks = tasksOf(10, systems);
    const draws = hierarchicalBootstrap(tasks, { seed: 5, level }, { from: 3, count: 6 });
    draws.forEach(({ micro, macro }, system) => {
      for (let r = 0; r < 6; r++) {
        const naive = naiveResample(tasks, { seed: 5, level }, { system, r: r + 3 });
        expect({ micro: micro[r], macro: macro[r] }).toEqual(naive);
      }
    });
  }
});

test.each(levels)(
  'drawing %s: neither other systems nor the order of the tasks nor ranges change a digit; the seed does',
  (level) => {
    const tasks = tasksOf(13, 6);
    const whole = hierarchicalBootstrap(tasks, { seed: 9, level }, { from: 0, count: 100 });
    const alone = tasks.map((task) => ({ ...task, values: [task.values[4]] }));
    expect(hierarchicalBootstrap(alone, { seed: 9, level }, { from: 0, count: 100 })[0]).toEqual(whole[4]);
    expect(hierarchicalBootstrap([...tasks].reverse(), { seed: 9, level }, { from: 0, count: 100 })).toEqual(whole);
    const parts = [
      [0, 1],
      [1, 64],
      [65, 35],
    ].map(([from, count]) => hierarchicalBootstrap(tasks, { seed: 9, level }, { from, count }));
    const joined = parts.flatMap((part) => [...part[4].micro]);
    expect(joined).toEqual([...whole[4].micro]);
    expect(hierarchicalBootstrap(tasks, { seed: 10, level }, { from: 0, count: 100 })).not.toEqual(whole);
  },
);

test.each(levels)('drawing %s: a visitor sees each task by its queries and each suite as if it were alone', (level) => {
  const tasks = tasksOf(7, 3);
  const range = { from: 2, count: 90 };
  const [byTask, bySuite] = [new Map<string, readonly Float64Array[]>(), new Map<string, readonly Float64Array[]>()];
  const keep = (into: typeof byTask) => (name: string, draws: readonly Float64Array[]) => void into.set(name, draws);
  const whole = hierarchicalBootstrap(tasks, { seed: 3, level }, range, {
    onTask: keep(byTask),
    onSuite: keep(bySuite),
  });
  expect(whole).toEqual(hierarchicalBootstrap(tasks, { seed: 3, level }, range));
  for (const { id, values } of tasks) {
    expect(byTask.get(id)).toEqual(bootstrapRange(values, keyedHash('bootstrap 3', id), range));
  }
  for (const suite of ['s0', 's1', 's2']) {
    const own = tasks.filter((task) => task.suite === suite);
    const alone = hierarchicalBootstrap(own, { seed: 3, level }, range);
    expect(bySuite.get(suite)).toEqual(alone.map(({ micro }) => micro));
    expect(alone.map(({ macro }) => macro)).toEqual(alone.map(({ micro }) => micro));
  }
  expect([byTask.size, bySuite.size]).toEqual([7, 3]);
});

test('a suite with one task draws its queries at every level', () => {
  const [task] = tasksOf(1, 2);
  const range = { from: 0, count: 40 };
  const own = bootstrapRange(task.values, keyedHash('bootstrap 5', task.id), range);
  for (const level of levels) {
    const draws = hierarchicalBootstrap([task], { seed: 5, level }, range);
    expect(draws.map(({ micro }) => micro)).toEqual(own);
  }
});

test('the spread is what theory says: within tasks, between tasks, and both', () => {
  const uniform = mulberry32(77);
  const tasks: TaskValues[] = Array.from({ length: 40 }, (_, t) => {
    const level = uniform();
    return { id: `t${t}`, suite: 's', values: [Float64Array.from({ length: 25 }, () => level + uniform())] };
  });
  const variance = (values: Float64Array): number =>
    ((moments(values).sd ?? 0) ** 2 * (values.length - 1)) / values.length;
  const within = tasks.reduce((sum, { values }) => sum + variance(values[0]) / 25, 0) / 40 ** 2;
  const between = variance(Float64Array.from(tasks, ({ values }) => moments(values[0]).mean ?? 0)) / 40;
  const expected = { queries: within, tasks: between, 'tasks and queries': within + between };
  for (const level of levels) {
    const [{ micro }] = hierarchicalBootstrap(tasks, { seed: 1, level }, { from: 0, count: 8000 });
    expect(Math.abs(variance(micro) / expected[level] - 1)).toBeLessThan(5 * Math.sqrt(2 / 8000));
  }
});

test('one task, one query, equal values', () => {
  const one = [{ id: 't', suite: 's', values: [Float64Array.of(0.25)] }];
  const equal = [
    { id: 't', suite: 's', values: [new Float64Array(4).fill(0.5)] },
    { id: 'u', suite: 'v', values: [new Float64Array(2).fill(0.5)] },
  ];
  for (const level of levels) {
    const [{ micro, macro }] = hierarchicalBootstrap(one, { seed: 1, level }, { from: 0, count: 3 });
    expect([...micro, ...macro]).toEqual(new Array(6).fill(0.25));
    const [flat] = hierarchicalBootstrap(equal, { seed: 1, level }, { from: 0, count: 3 });
    expect([...flat.micro, ...flat.macro]).toEqual(new Array(6).fill(0.5));
  }
});

test('no task, a repeated or empty one, unequal lists and NaN are refused by name', () => {
  const run = (tasks: readonly TaskValues[]) => () =>
    hierarchicalBootstrap(tasks, { seed: 1, level: 'queries' }, { from: 0, count: 1 });
  const task = (id: string, ...values: Float64Array[]): TaskValues => ({ id, suite: 's', values });
  const two = Float64Array.of(1, 2);
  const refused = expect.objectContaining({ code: 'refused' });
  expect(run([])).toThrow(refused);
  expect(run([task('t', two), task('t', two)])).toThrow(/twice: t/);
  expect(run([task('t', new Float64Array(0))])).toThrow(refused);
  expect(run([task('t', two, Float64Array.of(1))])).toThrow(refused);
  expect(run([task('t', two), task('u', two, two)])).toThrow(/lacks the values of a system: u/);
  expect(run([task('t', Float64Array.of(1, Number.NaN))])).toThrow(expect.objectContaining({ code: 'not-finite' }));
});
