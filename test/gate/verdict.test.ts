import { describe, expect, test } from 'vitest';
import { exitCode } from '../../results/gate/exit-code.js';
import { familyErrors } from '../../results/gate/levels.js';
import type { Verdict } from '../../results/gate/types.js';
import { intervalVerdict, overall, pointVerdict, slackOf, towardsBetter } from '../../results/gate/verdict.js';
import { adjust, corrections } from '../../results/stats/corrections.js';

const slack = slackOf(0.5, 0.5);

describe('the interval against the budget', () => {
  test.each([
    // low, high, budget
    [-0.05, -0.01, 0.01, 'inconclusive'],
    [-0.05, -0.010001, 0.01, 'regressed'],
    [-0.05, 0.2, 0.01, 'inconclusive'],
    [-0.01, 0.2, 0.01, 'pass'],
    [-0.010001, 0.2, 0.01, 'inconclusive'],
    [0, 0.2, 0.01, 'pass'],
    [0.000001, 0.2, 0.01, 'improved'],
    [-0.01, -0.01, 0.01, 'pass'],
    [-0.02, -0.02, 0.01, 'regressed'],
    [0, 0, 0, 'pass'],
    [-0.1, 0, 0, 'inconclusive'],
    [-0.1, -0.000001, 0, 'regressed'],
    [0, 0.1, 0, 'pass'],
    [0.000001, 0.1, 0, 'improved'],
  ] as const)('[%d, %d] with %d: %s', (low, high, budget, verdict) => {
    expect(intervalVerdict({ low, high, budget, slack })).toBe(verdict);
  });

  test('numbers that differ by rounding are one number', () => {
    // 0.5 − 0.51 is −0.010000000000000009.
    expect(intervalVerdict({ low: 0.5 - 0.51, high: 0.5 - 0.51, budget: 0.01, slack })).toBe('pass');
    expect(intervalVerdict({ low: 0.1 + 0.2 - 0.3, high: 1, budget: 0, slack })).toBe('pass');
    expect(slackOf(3e9, 2)).toBe(3e-3);
    expect(slackOf(2, 3e9)).toBe(3e-3);
    expect(slackOf(-3e9, 2)).toBe(3e-3);
    expect(slackOf(2, -3e9)).toBe(3e-3);
    expect(slackOf(0.1, -0.2)).toBe(1e-12);
  });
});

describe('the mean against the budget', () => {
  test.each([
    // low, delta, budget
    [-1, -0.01, 0.01, 'pass'],
    [-1, -0.010001, 0.01, 'regressed'],
    [-1, 0.5, 0.01, 'pass'],
    [0, 0.5, 0.01, 'pass'],
    [0.000001, 0.5, 0.01, 'improved'],
    [-1, 0, 0, 'pass'],
    [-1, -0.000001, 0, 'regressed'],
  ] as const)('low %d, delta %d with %d: %s', (low, delta, budget, verdict) => {
    expect(pointVerdict({ low, high: 1, delta, budget, slack })).toBe(verdict);
  });
});

test('where less is better, signs and ends change places', () => {
  expect(towardsBetter({ low: -1, high: 3, delta: 2 }, 'rise')).toEqual({ low: -3, high: 1, delta: -2 });
  expect(towardsBetter({ low: -1, high: 3, delta: 2 }, 'drop')).toEqual({ low: -1, high: 3, delta: 2 });
});

const checksOf = (...verdicts: readonly Verdict[]) => verdicts.map((verdict) => ({ verdict }));

test('the worst check gives the verdict; improved only where none is worse', () => {
  expect(overall(checksOf('pass', 'regressed', 'missing', 'improved', 'inconclusive'))).toBe('regressed');
  expect(overall(checksOf('pass', 'missing', 'improved', 'inconclusive'))).toBe('missing');
  expect(overall(checksOf('pass', 'improved', 'inconclusive'))).toBe('inconclusive');
  expect(overall(checksOf('pass', 'improved'))).toBe('improved');
  expect(overall(checksOf('pass', 'pass'))).toBe('pass');
});

describe('the exit code', () => {
  const exit = (onMissing: 'fail' | 'warn', onInconclusive: 'pass' | 'fail', ...verdicts: readonly Verdict[]) =>
    exitCode({ checks: checksOf(...verdicts) }, { onMissing, onInconclusive });

  test('is 1 for what regressed, whatever else there is', () => {
    expect(exit('warn', 'pass', 'regressed')).toBe(1);
    expect(exit('fail', 'fail', 'missing', 'inconclusive', 'regressed')).toBe(1);
  });

  test('is 3 for what is missing or undecided where the policy says so, else 0', () => {
    expect(exit('fail', 'pass', 'missing', 'pass')).toBe(3);
    expect(exit('warn', 'pass', 'missing', 'pass')).toBe(0);
    expect(exit('warn', 'fail', 'inconclusive', 'improved')).toBe(3);
    expect(exit('warn', 'pass', 'inconclusive', 'improved')).toBe(0);
    expect(exit('fail', 'fail', 'improved', 'pass')).toBe(0);
  });

  test('does not let what only warns hide what stops', () => {
    expect(exit('warn', 'fail', 'missing', 'inconclusive')).toBe(3);
    expect(exit('fail', 'pass', 'inconclusive', 'missing')).toBe(3);
  });
});

describe('levels over a family', () => {
  test.each(corrections)('%s: p is within its level exactly where the corrected p is within alpha', (correction) => {
    const families = [[0.01], [0.001, 0.02, 0.03, 0.9], [0.04, 0.04, 0.04], [0.012, 0.013, 0.02, 0.6, 1], [1, 1], []];
    for (const p of families) {
      const adjusted = adjust(p, correction);
      const levels = familyErrors(p, { alpha: 0.05, correction });
      expect(levels.map((level, i) => p[i] <= level)).toEqual(adjusted.map((each) => each <= 0.05));
      for (const level of levels) expect(level).toBeLessThanOrEqual(0.05);
    }
  });

  test('one check alone, and no correction, leave the level as it is', () => {
    for (const p of [0.001, 0.3, 1]) expect(familyErrors([p], { alpha: 0.05, correction: 'holm' })).toEqual([0.05]);
    expect(familyErrors([0.001, 1], { alpha: 0.05, correction: 'none' })).toEqual([0.05, 0.05]);
  });

  test('Holm gives the least p a third of three, the next a half, and what is cut off at 1 a third again', () => {
    const levels = familyErrors([0.9, 0.001, 0.004], { alpha: 0.06, correction: 'holm' });
    expect(levels[0]).toBeCloseTo(0.06, 12);
    expect(levels[1]).toBeCloseTo(0.02, 12);
    expect(levels[2]).toBeCloseTo(0.03, 12);
    for (const level of familyErrors([0.4, 0.5, 0.6], { alpha: 0.06, correction: 'holm' })) {
      expect(level).toBeCloseTo(0.02, 12);
    }
  });
});
