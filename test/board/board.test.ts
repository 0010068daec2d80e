import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prettyJson } from '../../core/canonical.js';
import { buildBoard } from '../../results/board.js';
import type { BoardInput, Estimate, SystemResults } from '../../results/board-types.js';
import { percentileInterval } from '../../results/stats/bootstrap.js';
import { drawLevels, hierarchicalBootstrap } from '../../results/stats/hierarchical.js';
import { costed, madeUp, noCost, type Shape, values } from './boards.js';

const shapes: fc.Arbitrary<Shape> = fc.record({
  suites: fc.integer({ min: 1, max: 3 }),
  tasksPerSuite: fc.integer({ min: 1, max: 3 }),
  systems: fc.integer({ min: 1, max: 4 }),
  queries: fc.integer({ min: 1, max: 12 }),
  gaps: fc.constantFrom(0, 4),
  seed: fc.nat(),
});

const runs = { numRuns: 40 };

describe('buildBoard', () => {
  it('does not depend on the order of tasks, systems and results', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const input = madeUp(shape);
        const turned: BoardInput = {
          ...input,
          tasks: input.tasks.toReversed(),
          systems: input.systems.toReversed().map((s) => ({ ...s, tasks: new Map([...s.tasks].toReversed()) })),
        };
        expect(prettyJson(buildBoard(turned))).toBe(prettyJson(buildBoard(input)));
      }),
      runs,
    );
  });

  it('gives the means that the words say', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const input = madeUp(shape);
        for (const system of buildBoard(input).systems) {
          const results = input.systems.find(({ id }) => id === system.id);
          for (const measure of input.measures) {
            const naive = naiveMeans(input, results, measure);
            expectNear(system.micro[measure].value, naive.micro);
            expectNear(system.macro[measure].value, naive.macro);
          }
        }
      }),
      runs,
    );
  });

  it('has intervals and tie bounds that hold the value', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        for (const { micro, macro, suites, tasks } of buildBoard(madeUp(shape)).systems) {
          for (const values of [micro, macro, ...Object.values(suites), ...Object.values(tasks)]) {
            for (const estimate of Object.values(values)) expectHolds(estimate);
          }
        }
      }),
      runs,
    );
  });

  it('ranks only complete systems, and puts them first', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const { systems, tasks } = buildBoard(madeUp(shape));
        for (const { complete, missing, rank, group, tasks: own } of systems) {
          expect(complete).toBe(missing.length === 0);
          expect(missing).toEqual(tasks.map(({ id }) => id).filter((id) => !Object.hasOwn(own, id)));
          expect(rank !== null).toBe(complete);
          expect(group !== null).toBe(complete);
        }
        const order = systems.map(({ complete }) => Number(!complete));
        expect(order).toEqual(order.toSorted());
        const ranks = systems.flatMap(({ rank }) => (rank === null ? [] : [rank.micro]));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
      runs,
    );
  });

  it('shares a rank and a group between equal systems', () => {
    const input = madeUp({ suites: 2, tasksPerSuite: 2, systems: 1, queries: 9, gaps: 0, seed: 3 });
    const [system] = input.systems;
    const board = buildBoard({ ...input, systems: [system, { ...system, id: 'twin' }] });
    expect(board.systems.map(({ id, rank, group }) => [id, rank, group])).toEqual([
      ['system-0', { micro: 1, macro: 1 }, 1],
      ['twin', { micro: 1, macro: 1 }, 1],
    ]);
  });

  it('draws the same queries of a task whatever else is on the board', () => {
    const input = madeUp({ suites: 2, tasksPerSuite: 2, systems: 3, queries: 9, gaps: 0, seed: 5 });
    const alone = { ...input, systems: input.systems.slice(1, 2) };
    const [one] = buildBoard(alone).systems;
    const among = buildBoard(input).systems.find(({ id }) => id === one.id);
    expect(among?.tasks).toEqual(one.tasks);
  });
});

describe('what is drawn', () => {
  const input = madeUp({ suites: 2, tasksPerSuite: 4, systems: 5, queries: 12, gaps: 0, seed: 8 });
  const width = ({ low, high }: Estimate) => (high ?? 0) - (low ?? 0);
  const of = (level?: BoardInput['level']) => buildBoard(level === undefined ? input : { ...input, level });

  it('is tasks and queries where nothing is said, and stands in the board', () => {
    expect(of()).toEqual(of('tasks and queries'));
    const { interval } = of();
    expect(interval).toEqual({
      ...{ method: 'percentile', confidence: 0.95, level: 'tasks and queries' },
      ...{ resamples: 200, seed: 17 },
    });
    for (const level of drawLevels) expect(of(level).interval.level).toBe(level);
  });

  it('changes no value, and no interval of a task', () => {
    const [queries, tasks, both] = drawLevels.map((level) => of(level).systems);
    for (const other of [tasks, both]) {
      const values = (systems: typeof other) =>
        systems.map(({ id, micro, macro }) => [id, micro['nDCG@10'].value, macro['nDCG@10'].value]);
      expect(values(other)).toEqual(values(queries));
      expect(other.map((system) => system.tasks)).toEqual(queries.map((system) => system.tasks));
      expect(other.map((system) => system.micro)).not.toEqual(queries.map((system) => system.micro));
    }
  });

  it('is the hierarchical bootstrap of the systems that have the same tasks', () => {
    const series = input.tasks.map(({ id, suite }) => ({
      ...{ id, suite },
      values: input.systems.map(({ tasks }) => tasks.get(id)?.values.get('R@100')?.expected ?? new Float64Array()),
    }));
    for (const level of drawLevels) {
      const draws = hierarchicalBootstrap(series, { seed: 17, level }, { from: 0, count: 200 });
      const { systems } = of(level);
      input.systems.forEach(({ id }, i) => {
        const found = systems.find((system) => system.id === id);
        expect(found?.micro['R@100']).toMatchObject(percentileInterval(draws[i].micro));
        expect(found?.macro['R@100']).toMatchObject(percentileInterval(draws[i].macro));
      });
    }
  });

  it('is wider over tasks where tasks differ more than queries do', () => {
    const spread = input.tasks.map(({ id, queries }, i) => {
      const level = i / input.tasks.length;
      return [id, values(...Array.from({ length: queries }, (_, q) => level + (q % 2) / 100))] as const;
    });
    const [system] = input.systems;
    const tasks = new Map(
      spread.map(([id, each]) => [id, { ...system.tasks.get(id), values: new Map([['nDCG@10', each]]) }] as const),
    ) as SystemResults['tasks'];
    const [narrow, wide] = (['queries', 'tasks'] as const).map(
      (level) => buildBoard({ ...input, level, systems: [{ ...system, tasks }] }).systems[0].micro['nDCG@10'],
    );
    expect(width(wide)).toBeGreaterThan(5 * width(narrow));
  });

  it('is queries where every suite has one task, whatever is asked', () => {
    const lone = madeUp({ suites: 3, tasksPerSuite: 1, systems: 3, queries: 12, gaps: 0, seed: 8 });
    const boards = drawLevels.map((level) => buildBoard({ ...lone, level }));
    for (const board of boards) expect(board).toEqual(boards[0]);
    expect(boards[0].interval.level).toBe('queries');
    const [system] = boards[0].systems;
    for (const { id, suite } of lone.tasks) {
      expect({ ...system.suites[suite]['R@100'], n: 0 }).toEqual({ ...system.tasks[id]['R@100'], n: 0 });
    }
  });

  it('is the same for a system with all tasks, whoever lacks some', () => {
    const [first, second, ...rest] = input.systems;
    const [gone] = [...second.tasks.keys()];
    const lacking = { ...second, tasks: new Map([...second.tasks].filter(([id]) => id !== gone)) };
    const board = buildBoard({ ...input, systems: [first, lacking, ...rest] });
    const complete = of().systems.find(({ id }) => id === first.id);
    expect(board.systems.find(({ id }) => id === first.id)?.micro).toEqual(complete?.micro);
    const alone = buildBoard({ ...input, systems: [lacking] }).systems[0];
    expect(board.systems.find(({ id }) => id === second.id)).toEqual(alone);
  });
});

describe('what is undefined', () => {
  const input = madeUp({ suites: 1, tasksPerSuite: 1, systems: 1, queries: 1, gaps: 0, seed: 1 });
  const nothing: Estimate = { value: null, low: null, high: null, min: null, max: null, n: 0 };

  it('is null for a system without results', () => {
    const [system] = buildBoard({ ...input, systems: [{ id: 'none', family: 'dense', tasks: new Map() }] }).systems;
    expect(system).toMatchObject({ complete: false, rank: null, group: null, suites: {}, tasks: {} });
    expect(system.micro['nDCG@10']).toEqual(nothing);
    expect(system.cost).toEqual(noCost);
  });

  it('is null for a measure that no run has', () => {
    const [system] = buildBoard({ ...input, measures: ['nDCG@10', 'ERR@20'] }).systems;
    expect(system.micro['ERR@20']).toEqual(nothing);
    expect(Object.values(system.tasks)[0]['ERR@20']).toEqual(nothing);
  });
});

describe('costs', () => {
  it('are means over tasks, and operations no run counted are left out', () => {
    const input = madeUp({ suites: 1, tasksPerSuite: 2, systems: 1, queries: 1, gaps: 0, seed: 1 });
    const [system] = input.systems;
    const costs = [
      costed({ bytesPerDoc: 100, indexBytes: 10, work: { postings: 10 } }, Float64Array.of(0)),
      costed({ bytesPerDoc: 200, indexBytes: 30, work: { postings: 30 } }, Float64Array.of(8)),
    ];
    const tasks = [...system.tasks].map(([id, result], i) => [id, { ...result, ...costs[i] }] as const);
    const [{ cost }] = buildBoard({ ...input, systems: [{ ...system, tasks: new Map(tasks) }] }).systems;
    expect(cost).toMatchObject({ bytesPerDoc: 150, indexBytes: 20, flopsPerQuery: 4, opsPerQuery: { postings: 20 } });
    expect(Object.keys(cost.opsPerQuery)).toEqual(['postings']);
  });
});

describe('bad input', () => {
  const input = madeUp({ suites: 1, tasksPerSuite: 1, systems: 1, queries: 1, gaps: 0, seed: 1 });
  const [system] = input.systems;
  const [[task, result]] = system.tasks;
  const withValues = (...list: number[]): BoardInput => ({
    ...input,
    systems: [{ ...system, tasks: new Map([[task, { ...result, values: new Map([['nDCG@10', values(...list)]]) }]]) }],
  });

  it('is refused with what and where', () => {
    const elsewhere = { ...system, tasks: new Map([['suite-0/else', result]]) };
    expect(() => buildBoard(withValues(Number.NaN))).toThrow(/finite.*NaN at query 1: nDCG@10, suite-0\/t0, system-0/);
    expect(() => buildBoard(withValues(1, 1))).toThrow('2 for 1: nDCG@10');
    expect(() => buildBoard({ ...input, primary: 'P@5' })).toThrow('P@5');
    expect(() => buildBoard({ ...input, resamples: 0 })).toThrow('at least one resample');
    expect(() => buildBoard({ ...input, systems: [system, system] })).toThrow('stands twice');
    expect(() => buildBoard({ ...input, systems: [elsewhere] })).toThrow('suite-0/else, system-0');
  });
});

function naiveMeans({ tasks }: BoardInput, system: SystemResults | undefined, measure: string) {
  const bySuite = new Map<string, number[]>();
  for (const { id, suite } of tasks) {
    const values = system?.tasks.get(id)?.values.get(measure)?.expected;
    if (values !== undefined) bySuite.set(suite, [...(bySuite.get(suite) ?? []), mean([...values])]);
  }
  const all = [...bySuite.values()];
  return all.length === 0 ? { micro: null, macro: null } : { micro: mean(all.flat()), macro: mean(all.map(mean)) };
}

const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length;

function expectNear(actual: number | null, expected: number | null): void {
  if (expected === null || actual === null) expect(actual).toBe(expected);
  else expect(actual).toBeCloseTo(expected, 12);
}

function expectHolds({ value, low, high, min, max }: Estimate): void {
  if (value === null || low === null || high === null || min === null || max === null) {
    expect([value, low, high, min, max]).toEqual([null, null, null, null, null]);
    return;
  }
  expect(Math.max(low, min)).toBeLessThanOrEqual(value + 1e-12);
  expect(Math.min(high, max)).toBeGreaterThanOrEqual(value - 1e-12);
}
