import { describe, expect, it } from 'vitest';
import { differenceOf } from '../../results/pareto/difference.js';
import type { Paired } from '../../results/sides.js';

const interval = { seed: 17, resamples: 500, level: 'queries' } as const;
const columns = (values: readonly number[]) => {
  const expected = Float64Array.from(values);
  return new Map([['RR', { expected, min: expected, max: expected }]]);
};

function paired(
  unit: Paired['unit'],
  rows: readonly (readonly [task: string, base: number, candidate: number])[],
): Paired {
  return {
    unit,
    queries: rows.map(([task], i) => ({ id: `q${i}`, text: null, task, slices: [] })),
    base: columns(rows.map(([, base]) => base)),
    candidate: columns(rows.map(([, , candidate]) => candidate)),
    missing: [],
    costs: { base: new Map(), candidate: new Map() },
  };
}

const of = (pair: Paired, measure = 'RR') =>
  differenceOf({ paired: pair, measure, interval, suiteOf: (task) => task.split('/')[0] });

describe('the difference of two systems', () => {
  it('is of the micro means where queries are paired: each task counts the same', () => {
    const small = [['a/one', 0, 1]] as const;
    const large = Array.from({ length: 9 }, (_, i) => ['a/two', 0.5, i % 2 === 0 ? 0.5 : 0.25] as const);
    const found = of(paired('query', [...small, ...large]));
    expect(found?.value).toBeCloseTo((1 - (4 * 0.25) / 9) / 2, 12);
    expect(found).toMatchObject({ unit: 'query', n: 10, method: 'percentile', sure: true });
    expect(found?.low).toBeLessThan(found?.value ?? 0);
    expect(found?.high).toBeGreaterThan(found?.value ?? 0);
  });

  it('is within error where the queries disagree', () => {
    const rows = Array.from({ length: 8 }, (_, i) => ['a/one', 0.5, i % 2 === 0 ? 1 : 0] as const);
    expect(of(paired('query', rows))).toMatchObject({ value: 0, sure: false });
  });

  it('is of the means of tasks where only those are known, and has no interval with one of them', () => {
    const tasks = [0.1, 0.2, 0.15, 0.3].map((gain, i) => [`a/${i}`, 0.5, 0.5 + gain] as const);
    const found = of(paired('task', tasks));
    expect(found?.value).toBeCloseTo(0.1875, 12);
    expect(found).toMatchObject({ unit: 'task', n: 4, method: 'bca', sure: true });
    const [first] = tasks;
    expect(of(paired('task', [first]))).toMatchObject({ low: null, high: null, method: 'none', sure: false });
  });

  it('is 0 and not sure between equal systems', () => {
    const rows = [0.5, 0.25].map((value, i) => [`a/${i}`, value, value] as const);
    for (const unit of ['query', 'task'] as const) {
      expect(of(paired(unit, rows))).toMatchObject({ value: 0, low: 0, high: 0, sure: false });
    }
  });

  it('is null without anything in common', () => {
    expect(of(paired('query', []))).toBeNull();
    expect(of(paired('task', [['a/one', 0, 1]]), 'AP')).toBeNull();
  });

  it('is the same number for the same seed', () => {
    const rows = Array.from({ length: 12 }, (_, i) => [`a/${i % 3}`, (i * 7) % 5, (i * 3) % 4] as const);
    expect(of(paired('query', rows))).toEqual(of(paired('query', rows)));
  });
});
