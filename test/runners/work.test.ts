import { describe, expect, test } from 'vitest';
import { distributionOf } from '../../core/distribution.js';
import { addStages, flopsOfQuery, scaleStages, totalWork, workOfQuery } from '../../runners/work.js';

describe('work by stage', () => {
  const a = { encode: { tokens: 3, flops: 30 }, search: { postings: 7 } };
  const b = { search: { postings: 1, flops: 2 }, rerank: { calls: 1 } };

  test('is added stage by stage and unit by unit, and what neither has stays absent', () => {
    expect(addStages(a, b)).toEqual({
      encode: { tokens: 3, flops: 30 },
      search: { postings: 8, flops: 2 },
      rerank: { calls: 1 },
    });
    expect(addStages({}, {})).toEqual({});
    expect(totalWork(addStages(a, b))).toEqual({ flops: 32, postings: 8, tokens: 3, calls: 1 });
    expect(scaleStages(a, 0.5)).toEqual({ encode: { tokens: 1.5, flops: 15 }, search: { postings: 3.5 } });
  });

  test('is of one query, or the mean of all', () => {
    expect(workOfQuery({ flops: 7 }, 99)).toEqual({ flops: 7 });
    expect(workOfQuery([{ flops: 1 }, { flops: 2 }], 1)).toEqual({ flops: 2 });
    expect(workOfQuery([{ flops: 1 }], 1)).toEqual({});
  });
});

describe('FLOPs of a query', () => {
  test('are 0 where postings are all that was counted, and where a frozen pool was read', () => {
    expect(flopsOfQuery({ search: { postings: 12 } })).toBe(0);
    expect(flopsOfQuery({})).toBe(0);
  });

  test('are summed over the stages', () => {
    expect(
      flopsOfQuery({ encode: { tokens: 4, flops: 10 }, search: { flops: 5 }, rerank: { flops: 0, tokens: 0 } }),
    ).toBe(15);
  });

  test.each([
    ['a service that counts calls', { encode: { calls: 1 }, search: { flops: 5 } }],
    [
      'a language model that counts prompts',
      { search: { postings: 1 }, rerank: { promptTokens: 100, completionTokens: 2 } },
    ],
    ['a model whose layers are not known', { encode: { tokens: 9 }, search: { flops: 5 } }],
    ['a system that says nothing', { search: {} }],
  ])('are unknown, not 0, behind %s', (_, staged) => {
    expect(flopsOfQuery(staged)).toBe(null);
  });

  test('are 0 where a model was asked about nothing', () => {
    expect(flopsOfQuery({ search: { postings: 0 }, rerank: { tokens: 0 } })).toBe(0);
  });
});

test('percentiles are by nearest rank', () => {
  expect(distributionOf([])).toEqual({ mean: 0, p50: 0, p95: 0, max: 0 });
  expect(distributionOf([4])).toEqual({ mean: 4, p50: 4, p95: 4, max: 4 });
  const twenty = Array.from({ length: 20 }, (_, i) => 20 - i);
  expect(distributionOf(twenty)).toEqual({ mean: 10.5, p50: 10, p95: 19, max: 20 });
  expect(distributionOf([...twenty, 21]).p95).toBe(20);
});
