import { describe, expect, test } from 'vitest';
import { judge } from '../../results/gate/judge.js';
import { bootstrapMeans } from '../../results/stats/bootstrap.js';
import { queriesNeeded } from '../../results/stats/effect.js';
import { meanInterval } from '../../results/stats/mean-interval.js';
import { moments } from '../../results/stats/moments.js';
import { pairedBy, policyOf } from './paired.js';

const judged = (deltas: readonly number[], check: string, more = '') =>
  judge(policyOf(`{measure: nDCG@10, ${check}}`, more), pairedBy(Array<number>(deltas.length).fill(0.5), deltas))
    .checks[0];

describe('where BCa is undefined', () => {
  const values = Float64Array.from({ length: 24 }, (_, i) => ((i * 7) % 24) / 32 - 0.25);
  const mean = moments(values).mean ?? 0;
  const resamples = 4;
  /** Four draws of this seed all lie beyond the mean. */
  const seed = Array.from({ length: 1000 }, (_, i) => i).find((each) =>
    bootstrapMeans([values], { resamples, seed: each })[0].every((draw) => draw > mean + 0.001),
  );

  test('the ends are percentiles of the draws', () => {
    if (seed === undefined) throw new Error('No seed draws beyond the mean only.');
    const draws = [...bootstrapMeans([values], { resamples, seed })[0]].sort((a, b) => a - b);
    const { low, high, method } = meanInterval(values, { resamples, seed, confidence: 0.6 });
    expect(method).toBe('percentile');
    // Levels 0.2 and 0.8 of four draws: 0.6 and 2.4 steps from the least (type 7 of Hyndman and Fan 1996).
    expect(low).toBeCloseTo(draws[0] + 0.6 * (draws[1] - draws[0]), 12);
    expect(high).toBeCloseTo(draws[2] + 0.4 * (draws[3] - draws[2]), 12);
    expect(draws[0]).toBeLessThan(draws[3]);
  });

  test('the check says so', () => {
    const policy = { ...policyOf('{measure: nDCG@10, drop: 0.01}'), resamples, seed: seed ?? 0 };
    const [check] = judge(policy, pairedBy(Array<number>(24).fill(0), [...values])).checks;
    const { low, high } = meanInterval(values, { resamples, seed: seed ?? 0, confidence: 0.95 });
    expect(check).toMatchObject({ method: 'percentile', low, high });
  });
});

test('nNeeded is one query more than there are at least, though the t-test by which it counts would be content', () => {
  const deltas = [-0.2, -0.2, -0.2, -0.2, -0.2, 0];
  const { sd } = moments(Float64Array.from(deltas));
  const byTest = queriesNeeded({ sd: sd ?? 0, effect: -1 / 6, alpha: 0.05, power: 0.8 });
  expect(byTest).toBeLessThanOrEqual(6);
  expect(judged(deltas, 'drop: 0')).toMatchObject({ verdict: 'inconclusive', n: 6, p: 4 / 64, nNeeded: 7 });
});

describe('a p that is just the level', () => {
  // Of 6 queries the least p is 2 / 64: a level of 1/32 is just reached.
  const level = 'confidence: 0.96875';
  const losing = [-0.5, -0.25, -0.125, -0.375, -0.0625, -0.4375];

  test('excludes 0', () => {
    const check = judged(losing, 'drop: 0', level);
    expect(check).toMatchObject({ verdict: 'regressed', p: 1 / 32, confidence: 0.96875 });
    expect(check.high).toBeLessThan(0);
  });

  test('excludes the budget', () => {
    const beyond = losing.map((delta) => delta - 0.125);
    const check = judged(beyond, 'drop: 0.125', level);
    expect(check).toMatchObject({ verdict: 'regressed', pBudget: 1 / 32 });
    expect(check.high).toBeLessThan(-0.125);
  });

  test('is asked, so that a greater one excludes nothing', () => {
    const one = [...losing.slice(0, 4), 0, -0.4375];
    expect(judged(one, 'drop: 0', level)).toMatchObject({ verdict: 'inconclusive', p: 2 / 32, high: 0 });
  });
});
