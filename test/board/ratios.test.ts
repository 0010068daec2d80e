import { describe, expect, test } from 'vitest';
import { boardCost } from '../../results/board-cost.js';
import type { TaskResults } from '../../results/board-types.js';
import { costed, values } from './boards.js';

function task(quality: readonly number[], flops: readonly number[] | null): TaskResults {
  const cost = { bytesPerDoc: 1, indexBytes: 1, work: {} };
  return {
    ...(flops === null
      ? { cost: { ...cost, flopsPerQuery: null }, queryFlops: null }
      : costed(cost, Float64Array.from(flops))),
    queryMs: { p50: 1, p95: 1 },
    values: new Map([['nDCG@10', values(...quality)]]),
  };
}

const costOf = (...tasks: readonly TaskResults[]) => boardCost(new Map(tasks.map((each, i) => [`s/t${i}`, each])));

describe('quality per PetaFLOP', () => {
  test('is the mean of ratios and the ratio of means, named apart', () => {
    // Two queries: 0.5 for 1 TFLOP, 1 for 4 TFLOP: (500 + 250) / 2 and 0.75 / 0.0025.
    const { RPP, QPP } = costOf(task([0.5, 1], [1e12, 4e12]));
    expect(RPP['nDCG@10']?.meanOfRatios).toBeCloseTo(375, 9);
    expect(RPP['nDCG@10']?.ratioOfMeans).toBeCloseTo(300, 9);
    expect(QPP?.meanOfRatios).toBeCloseTo((1000 + 250) / 2, 9);
    expect(QPP?.ratioOfMeans).toBeCloseTo(400, 9);
  });

  test('counts tasks equally, as the means beside it do', () => {
    const { RPP, flopsPerQuery } = costOf(task([1], [1e12]), task([0, 0.5, 1], [3e12, 3e12, 3e12]));
    expect(flopsPerQuery).toBe(2e12);
    expect(RPP['nDCG@10']?.ratioOfMeans).toBeCloseTo(0.75 / 0.002, 9);
    expect(RPP['nDCG@10']?.meanOfRatios).toBeCloseTo((1000 + 0.5 / 0.003) / 2, 9);
  });

  test('is undefined, never infinite, where nothing was needed', () => {
    const { RPP, QPP, flopsPerQuery } = costOf(task([0.5, 1], [0, 0]));
    expect([RPP, QPP, flopsPerQuery]).toEqual([{ 'nDCG@10': null }, null, 0]);
  });

  test('where one query needed none, the mean of ratios alone is undefined', () => {
    const { QPP } = costOf(task([0.5, 1], [0, 2e15]));
    expect(QPP).toEqual({ meanOfRatios: null, ratioOfMeans: 1 });
  });

  test('is undefined where the FLOPs of a task are not known, and so are the FLOPs', () => {
    const cost = costOf(task([1], [1e12]), task([1], null));
    expect(cost).toMatchObject({
      RPP: { 'nDCG@10': null },
      QPP: null,
      flopsPerQuery: null,
      flops: null,
      flopsByStage: {},
    });
  });

  test('percentiles are over all queries of all tasks', () => {
    const many = Array.from({ length: 19 }, () => 1e9);
    const { flops } = costOf(
      task(
        many.map(() => 1),
        many,
      ),
      task([1], [5e9]),
    );
    expect(flops).toEqual({ p50: 1e9, p95: 1e9, max: 5e9, padded: null });
  });

  test('percentiles are the 50th and 95th, by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => i + 1);
    const { flops } = costOf(
      task(
        hundred.map(() => 1),
        hundred,
      ),
    );
    expect(flops).toMatchObject({ p50: 50, p95: 95, max: 100 });
  });

  test('a task without queries has no ratio, and takes nothing from the others', () => {
    expect(costOf(task([], []), task([1], [1e15])).QPP).toEqual({ meanOfRatios: 1, ratioOfMeans: 1 });
    expect(costOf(task([], [])).QPP).toBe(null);
  });
});

describe('other costs', () => {
  test('are null for a frozen pool, and those of a system do not count it', () => {
    const frozen = { ...task([1], [9e9]), frozen: true };
    expect(costOf(frozen)).toMatchObject({ bytesPerDoc: null, flopsPerQuery: null, latencyMs: { p50: null }, RPP: {} });
    expect(costOf(frozen, task([1], [1e9])).flopsPerQuery).toBe(1e9);
  });

  test('padding is what is added to FLOPs, so that padded ones are never fewer', () => {
    const one = task([1], [1e9]);
    const padded = { ...one, cost: { ...one.cost, work: { ...one.cost.work, paddingFlops: 5e8 } } };
    expect(costOf(padded, one).flops?.padded).toBe(1.25e9);
    expect(costOf(one).flops?.padded).toBe(null);
  });

  test('FLOPs by stage are those of all tasks, or of none', () => {
    expect(costOf(task([1], [1e9]), task([1], [3e9])).flopsByStage).toEqual({ search: 2e9 });
    expect(costOf(task([1], [1e9]), task([1], null)).flopsByStage).toEqual({});
  });
});
