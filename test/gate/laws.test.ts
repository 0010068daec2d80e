import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge } from '../../results/gate/judge.js';
import { parsePolicy } from '../../results/gate/policy.js';
import type { CheckResult } from '../../results/gate/types.js';
import { tolerance } from '../../results/stats/moments.js';
import { pairedBy, queries } from './paired.js';

/** Grades of a measure as they come: many equal ones, so that many deltas are 0. */
const value = fc.constantFrom(0, 0.25, 0.3868528072345416, 0.5, 0.6309297535714575, 1);
const values = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 30 });
const budget = fc.constantFrom('0', '0.01', '0.1', '5%', '50%');
const direction = fc.constantFrom('drop', 'rise');
const rule = fc.constantFrom('interval', 'on-point');
/** Laws hold for every number of resamples. */
const policyOf = (checks: string, more = '') =>
  parsePolicy(`resamples: 300\n${more}\nchecks: [${checks}]`, 'gate.yaml');
const few = { numRuns: 60 };

const pairedFrom = (pairs: readonly (readonly [number, number])[]) =>
  pairedBy(
    pairs.map(([base]) => base),
    pairs.map(([base, candidate]) => candidate - base),
    { queries: queries(pairs.length, (i) => [i % 2 === 0 ? 'half:a' : 'half:b', `third:${i % 3}`]) },
  );

test('a verdict is the one that the interval, the delta and the budget of its check give', () => {
  fc.assert(
    fc.property(values, budget, direction, rule, (pairs, allowed, way, fail) => {
      const policy = policyOf(`{measure: nDCG@10, ${way}: ${allowed}, fail: ${fail}}`);
      const [check] = judge(policy, pairedFrom(pairs)).checks;
      const sign = way === 'drop' ? 1 : -1;
      const [low, high] = [(check.low ?? Number.NaN) * sign, (check.high ?? Number.NaN) * sign].sort((a, b) => a - b);
      const worst = -(check.budget ?? Number.NaN) - tolerance;
      const expected = {
        interval: high < worst ? 'regressed' : low > tolerance ? 'improved' : low >= worst ? 'pass' : 'inconclusive',
        'on-point': (check.delta ?? 0) * sign < worst ? 'regressed' : low > tolerance ? 'improved' : 'pass',
      };
      expect(check.verdict).toBe(expected[fail]);
      expect(check.nNeeded === null || (check.verdict === 'inconclusive' && check.nNeeded > pairs.length)).toBe(true);
      expect((check.low ?? 0) - tolerance <= (check.delta ?? 0)).toBe(true);
    }),
    few,
  );
});

const found = ({ measure, cost, slice, direction, fail, budget }: CheckResult) =>
  JSON.stringify([measure, cost, slice, direction, fail, budget]);

test('a check comes out the same wherever it stands in the policy', () => {
  const checks = [
    '{measure: nDCG@10, drop: 0}',
    '{measure: nDCG@10, drop: 1%, slice: "half:a"}',
    '{measure: nDCG@10, drop: 0.1, slice: "half:b"}',
    '{measure: nDCG@10, rise: 0.05, slice: "third:1"}',
    '{measure: nDCG@10, drop: 0.01, fail: on-point}',
    '{cost: bytesPerDoc, rise: 1%}',
  ];
  const costs = { base: new Map([['bytesPerDoc', 5]]), candidate: new Map([['bytesPerDoc', 6]]) };
  const orders = fc.shuffledSubarray(checks, { minLength: checks.length });
  const correction = fc.constantFrom('holm', 'hochberg', 'bonferroni', 'bh', 'by', 'none');
  fc.assert(
    fc.property(values, orders, correction, (pairs, order, name) => {
      const paired = { ...pairedFrom(pairs), costs };
      const judged = (among: readonly string[]) => judge(policyOf(among.join(', '), `correction: ${name}`), paired);
      const [straight, shuffled] = [judged(checks), judged(order)];
      const byCheck = new Map(shuffled.checks.map((check) => [found(check), check]));
      for (const check of straight.checks) expect(byCheck.get(found(check))).toEqual(check);
      expect(shuffled.verdict).toBe(straight.verdict);
    }),
    { numRuns: 25 },
  );
});

test('without a budget, sides that change places change regressed into improved and back', () => {
  const policy = policyOf('{measure: nDCG@10, drop: 0}');
  const mirror = { regressed: 'improved', improved: 'regressed' } as const;
  fc.assert(
    fc.property(values, (pairs) => {
      const straight = judge(policy, pairedFrom(pairs)).checks[0];
      const swapped = judge(policy, pairedFrom(pairs.map(([a, b]) => [b, a]))).checks[0];
      if (straight.verdict === 'regressed' || straight.verdict === 'improved') {
        expect(swapped.verdict).toBe(mirror[straight.verdict]);
      } else {
        expect(['pass', 'inconclusive']).toContain(swapped.verdict);
      }
      expect(swapped.p).toBe(straight.p);
      expect(swapped.delta).toBeCloseTo(-(straight.delta ?? 0), 12);
      expect(swapped.low).toBeCloseTo(-(straight.high ?? 0), 9);
    }),
    few,
  );
});

test('a rise is a drop of sides that change places, whatever the budget', () => {
  fc.assert(
    fc.property(values, fc.constantFrom('0', '0.01', '0.1'), rule, (pairs, allowed, fail) => {
      const drop = judge(policyOf(`{measure: nDCG@10, drop: ${allowed}, fail: ${fail}}`), pairedFrom(pairs)).checks[0];
      const swapped = pairedFrom(pairs.map(([a, b]) => [b, a]));
      const rise = judge(policyOf(`{measure: nDCG@10, rise: ${allowed}, fail: ${fail}}`), swapped).checks[0];
      expect([rise.verdict, rise.counts, rise.p, rise.pBudget]).toEqual([
        drop.verdict,
        drop.counts,
        drop.p,
        drop.pBudget,
      ]);
      expect(rise.delta).toBeCloseTo(-(drop.delta ?? 0), 12);
      expect(rise.high).toBeCloseTo(-(drop.low ?? 0), 9);
      expect(rise.worst.map(({ query }) => query)).toEqual(drop.worst.map(({ query }) => query));
    }),
    few,
  );
});

test('more budget never makes a verdict worse', () => {
  const order = ['regressed', 'inconclusive', 'pass', 'improved'];
  fc.assert(
    fc.property(values, rule, (pairs, fail) => {
      const ranks = ['0', '0.001', '0.05', '0.2', '1'].map((allowed) => {
        const policy = policyOf(`{measure: nDCG@10, drop: ${allowed}, fail: ${fail}}`);
        return order.indexOf(judge(policy, pairedFrom(pairs)).checks[0].verdict);
      });
      expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
      expect(ranks[0]).toBeGreaterThanOrEqual(0);
    }),
    few,
  );
});
