import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../core/canonical.js';
import { compareQueries } from '../../results/compare.js';
import { judge } from '../../results/gate/judge.js';
import { queriesNeeded } from '../../results/stats/effect.js';
import { moments } from '../../results/stats/moments.js';
import { signFlip } from '../../results/stats/sign-flip.js';
import type { TieColumns } from '../../results/types.js';
import { cycled, pairedBy, plain, policyOf, queries } from './paired.js';

const half = (count: number) => Array<number>(count).fill(0.5);
/** A mean of −0.03 with a spread of about 0.16. */
const mixed = cycled([-0.3, 0.1, 0, 0.2, -0.1, 0, -0.25, 0.15, -0.17, 0.07], 60);

describe('one check', () => {
  const paired = pairedBy(half(60), mixed);
  const result = judge(policyOf('{measure: nDCG@10, drop: 0.01}'), paired);
  const [check] = result.checks;

  test('has the numbers of compare: means, delta, interval and p', () => {
    const options = { confidence: 0.95, correction: 'holm', resamples: 1000, seed: 17, worst: 5 } as const;
    const [compared] = compareQueries({ ...paired, options });
    expect(check).toMatchObject({ n: 60, low: compared.low, high: compared.high, method: 'bca', confidence: 0.95 });
    expect(check.delta).toBe(compared.delta);
    expect(check.base).toBe(compared.base);
    expect(check.candidate).toBeCloseTo(compared.candidate, 12);
    expect([check.p, check.pAdjusted]).toEqual([compared.p.permutation, compared.pAdjusted]);
    expect(check.counts).toEqual({ better: compared.improved, tied: compared.tied, worse: compared.regressed });
    expect(check.worst).toEqual(compared.worst);
    expect(compared.worst.length).toBe(5);
  });

  test('that holds the budget inside its interval needs as many queries as part the delta from the budget', () => {
    const { sd } = moments(Float64Array.from(mixed));
    const effect = (check.delta ?? 0) + 0.01;
    expect(check.verdict).toBe('inconclusive');
    expect(check.nNeeded).toBe(queriesNeeded({ sd: sd ?? 0, effect, alpha: 0.05, power: 0.8 }));
    expect(check.nNeeded).toBeGreaterThan(60);
    expect(result.verdict).toBe('inconclusive');
  });

  test('of no budget needs those that part the delta from 0; no number does where it is 0', () => {
    const needed = (deltas: readonly number[], drop: string) =>
      judge(policyOf(`{measure: nDCG@10, drop: ${drop}}`), pairedBy(half(60), deltas)).checks[0];
    const balanced = cycled([-0.25, 0.25], 60);
    expect(needed(balanced, '0')).toMatchObject({ verdict: 'inconclusive', delta: 0, nNeeded: null });
    expect(needed(balanced, '0.001')).toMatchObject({ verdict: 'inconclusive', nNeeded: expect.any(Number) });
    const farther = needed(balanced, '0.002').nNeeded ?? 0;
    expect(needed(balanced, '0.001').nNeeded).toBeGreaterThan(3 * farther);
  });

  test('is JSON with the keys of formats.md, and the same for the same seed', () => {
    expect(canonicalJson(result)).toBe(canonicalJson(judge(policyOf('{measure: nDCG@10, drop: 0.01}'), paired)));
    for (const key of [
      'measure',
      'slice',
      'verdict',
      'base',
      'candidate',
      'delta',
      'low',
      'high',
      'p',
      'n',
      'nNeeded',
    ]) {
      expect(check).toHaveProperty(key);
    }
    expect(check.budget).toBe(0.01);
    const other = judge(policyOf('{measure: nDCG@10, drop: 0.01}', 'seed: 18'), paired);
    expect(other.checks[0].low).not.toBe(check.low);
  });
});

describe('budgets', () => {
  const verdictOf = (drop: string, base: readonly number[], deltas: readonly number[]) => {
    const [{ verdict, budget }] = judge(policyOf(`{measure: nDCG@10, drop: ${drop}}`), pairedBy(base, deltas)).checks;
    return { verdict, budget };
  };

  test('all equal deltas are what they are: within the budget, on it, beyond it', () => {
    expect(verdictOf('0.01', half(8), Array(8).fill(-0.005))).toEqual({ verdict: 'pass', budget: 0.01 });
    expect(verdictOf('0.01', half(8), Array(8).fill(-0.01))).toEqual({ verdict: 'pass', budget: 0.01 });
    expect(verdictOf('0.01', half(8), Array(8).fill(-0.011))).toEqual({ verdict: 'regressed', budget: 0.01 });
    expect(verdictOf('0', half(8), Array(8).fill(0))).toEqual({ verdict: 'pass', budget: 0 });
    expect(verdictOf('0', half(8), Array(8).fill(0.1))).toEqual({ verdict: 'improved', budget: 0 });
  });

  test('a share is one of the mean of the baseline', () => {
    expect(verdictOf('2%', half(8), Array(8).fill(-0.01))).toEqual({ verdict: 'pass', budget: 0.01 });
    expect(verdictOf('2%', half(8), Array(8).fill(-0.0101)).verdict).toBe('regressed');
    expect(verdictOf('50%', Array(8).fill(0), Array(8).fill(0))).toEqual({ verdict: 'pass', budget: 0 });
    expect(verdictOf('50%', Array(8).fill(0), Array(8).fill(0.1))).toEqual({ verdict: 'improved', budget: 0 });
  });

  test('one query has a delta and no test', () => {
    const result = judge(policyOf('{measure: nDCG@10, drop: 0.01}'), pairedBy([1], [-0.5]));
    const nulls = { p: null, pAdjusted: null, pBudget: null, nNeeded: null };
    expect(result.checks[0]).toMatchObject({
      verdict: 'regressed',
      n: 1,
      low: -0.5,
      high: -0.5,
      method: 'none',
      ...nulls,
    });
    expect(result.warnings).toEqual([
      'nDCG@10 is judged by 1 query: no test could tell so few from chance',
      'nDCG@10: the deltas of 1 query are all equal, so its interval has no width',
    ]);
  });

  test.each([
    [5, true],
    [6, false],
  ])('%i queries are warned of where no test could tell them from chance: %s', (n, warned) => {
    const deltas = Array.from({ length: n }, (_, i) => -0.5 + i / 100);
    const { checks, warnings } = judge(policyOf('{measure: nDCG@10, drop: 0.01}'), pairedBy(half(n), deltas));
    expect(checks[0].verdict).toBe('regressed');
    expect(warnings.some((line) => line.includes('so few from chance'))).toBe(warned);
  });

  test('a budget of the wrong direction is warned of', () => {
    const { warnings } = judge(policyOf('{measure: nDCG@10, rise: 0.01}'), pairedBy(half(40), Array(40).fill(0)));
    expect(warnings).toEqual(['nDCG@10 is better when it is more: its check should say drop']);
  });

  test.each([
    ['{cost: bytesPerDoc, drop: 1%}', 'bytesPerDoc is better when it is less: its check should say rise'],
    ['{cost: QPP.ratioOfMeans, rise: 1%}', 'QPP.ratioOfMeans is better when it is more: its check should say drop'],
  ])('and so is %s of a cost', (check, warning) => {
    const paired = pairedBy(half(4), Array(4).fill(0));
    const costs = new Map([
      ['bytesPerDoc', 1],
      ['QPP.ratioOfMeans', 1],
    ]);
    const { warnings } = judge(policyOf(check), { ...paired, costs: { base: costs, candidate: costs } });
    expect(warnings).toContain(warning);
  });
});

test('on-point judges the mean, and is never inconclusive', () => {
  const check = (drop: string) =>
    judge(policyOf(`{measure: nDCG@10, drop: ${drop}, fail: on-point}`), pairedBy(half(60), mixed)).checks[0];
  expect(check('0.0299')).toMatchObject({ verdict: 'regressed', fail: 'on-point', nNeeded: null, pAdjusted: null });
  expect(check('0.0301')).toMatchObject({ verdict: 'pass', confidence: 0.95 });
  expect(check('0.03').verdict).toBe('pass');
  expect(check('0.03').low).toBeLessThan(-0.03);
});

test('rise is for what is better when it is less: the signs of the numbers stay', () => {
  const paired = pairedBy(half(60), mixed);
  const less = { ...paired, base: paired.candidate, candidate: paired.base };
  const [check] = judge(policyOf('{measure: nDCG@10, rise: 0}'), less).checks;
  expect(check.delta).toBeCloseTo(0.03, 12);
  expect(check.worst[0]).toMatchObject({ delta: 0.3, query: 'q0' });
  expect(check.counts).toEqual({ better: 24, tied: 12, worse: 24 });
  const risen = (more: string, deltas: readonly number[]) =>
    judge(policyOf(`{measure: nDCG@10, rise: ${more}}`), pairedBy(half(8), deltas)).checks[0].verdict;
  expect(risen('0.1', Array(8).fill(0.1))).toBe('pass');
  expect(risen('0.1', Array(8).fill(0.11))).toBe('regressed');
  expect(risen('0.1', Array(8).fill(-0.01))).toBe('improved');
});

describe('a bootstrap interval that is surer than the queries allow', () => {
  // Three of fifty queries lose: BCa is sure, while one pattern of their signs in four is as extreme.
  const sparse = pairedBy(half(50), [-0.4, -0.41, -0.42, ...Array<number>(47).fill(0)]);

  test('reaches to the budget where the sign-flip test does not exclude it', () => {
    const options = { confidence: 0.95, correction: 'holm', resamples: 1000, seed: 17, worst: 5 } as const;
    const [compared] = compareQueries({ ...sparse, options });
    expect(compared.high).toBeLessThan(0);
    const [check] = judge(policyOf('{measure: nDCG@10, drop: 0}'), sparse).checks;
    expect(check.p).toBeGreaterThan(0.2);
    expect(check).toMatchObject({ verdict: 'inconclusive', low: compared.low, high: 0 });
    const [mirrored] = judge(policyOf('{measure: nDCG@10, rise: 0}'), sparse).checks;
    expect(mirrored).toMatchObject({ verdict: 'pass', high: 0 });
  });

  test('stays as it is where so few queries cannot exclude anything by signs', () => {
    const check = (count: number) => {
      const deltas = [-0.5, -0.4, -0.3, -0.2, -0.1, -0.6].slice(0, count);
      return judge(policyOf('{measure: nDCG@10, drop: 0}'), pairedBy(half(count), deltas)).checks[0];
    };
    expect(check(5)).toMatchObject({ verdict: 'regressed', p: 2 / 2 ** 5 });
    expect(check(6)).toMatchObject({ verdict: 'regressed', p: 2 / 2 ** 6 });
  });
});

describe('a family of checks', () => {
  const sliced = queries(60, (i) => (i < 30 ? ['first'] : ['second']));
  const paired = {
    ...pairedBy(
      half(60),
      mixed.map((delta, i) => delta + (i < 30 ? -0.1 : 0.05)),
    ),
    queries: sliced,
  };
  const names = ['', ', slice: first', ', slice: second'];
  const checks = names.map((slice) => `{measure: nDCG@10, drop: 0.01${slice}}`).join(', ');

  test('stands at the levels of the correction, over tests against the budget', () => {
    const [, first] = judge(policyOf(checks), paired).checks;
    const deltas = Float64Array.from(mixed.slice(0, 30), (delta) => delta - 0.1 + 0.01);
    expect(first.pBudget).toBeCloseTo(signFlip(deltas, { resamples: 1000, seed: 17 }).p, 12);
    expect(first).toMatchObject({ n: 30, verdict: 'regressed' });
    // The least p of three: Holm takes it three times.
    expect(1 - (first.confidence ?? 0)).toBeCloseTo(0.05 / 3, 12);
    const [alone] = judge(policyOf('{measure: nDCG@10, drop: 0.01, slice: first}'), paired).checks;
    expect(alone.confidence).toBe(0.95);
    expect(alone.high).toBeLessThan(first.high ?? 0);
  });

  test('has neither on-point checks nor those without a test in it', () => {
    const more = '{measure: nDCG@10, drop: 0.01, slice: first}, {measure: nDCG@10, drop: 0.01, fail: on-point}';
    const result = judge(policyOf(`${more}, {measure: nDCG@10, drop: 0, slice: none}`), paired);
    expect(result.checks.map(({ confidence }) => confidence)).toEqual([0.95, 0.95, null]);
    expect(result.checks[1].pAdjusted).toBeNull();
  });

  test('has plain levels without correction', () => {
    const { checks: found } = judge(policyOf(checks, 'correction: none'), paired);
    for (const { confidence, p, pAdjusted } of found) {
      expect(confidence).toBeCloseTo(0.95, 15);
      expect(pAdjusted).toBe(p);
    }
  });
});

describe('ties', () => {
  const tied = (spread: number): TieColumns => {
    // Two queries differ: where none does, both sides are one run, and so are its ties.
    const expected = Float64Array.from(half(40), (value, i) => value + (i === 0 ? 0.01 : i === 1 ? -0.01 : 0));
    return { expected, min: expected.map((v) => v - spread), max: expected.map((v) => v + spread) };
  };
  const judged = (candidate: TieColumns, drop: string) =>
    judge(policyOf(`{measure: nDCG@10, drop: ${drop}}`), {
      ...pairedBy(half(40), half(40)),
      candidate: new Map([['nDCG@10', candidate]]),
    });

  test('that could turn the verdict are warned of, with the verdict they could make', () => {
    const { checks, warnings } = judged(tied(0.02), '0.01');
    expect(checks[0]).toMatchObject({ verdict: 'pass', tieRange: expect.closeTo(0.04, 12) });
    expect(warnings).toEqual([
      'ties leave nDCG@10 open by 0.0400: another order of tied documents could make it regressed',
    ]);
  });

  test('that could not are silent, as are those that could only make a good one better', () => {
    expect(judged(tied(0.02), '0.021').warnings).toEqual([]);
    expect(judged(tied(0.02), '0.03').warnings).toEqual([]);
    const same = { ...tied(0.02), expected: Float64Array.from(half(40)) };
    expect(judged(same, '0.01').warnings).toEqual([]);
    expect(judged(plain(half(40)), '0.01').checks[0].tieRange).toBe(0);
  });

  test('could turn what regressed, too', () => {
    const better = { ...tied(0.02), expected: Float64Array.from(Array(40).fill(0.485)) };
    expect(judged(better, '0.01').warnings[0]).toContain('could make it improved');
  });
});

test('a value that is no number is an error and no verdict', () => {
  const paired = pairedBy([0.5, 0.5], [Number.NaN, 0]);
  expect(() => judge(policyOf('{measure: nDCG@10, drop: 0}'), paired)).toThrow(/finite/);
});
