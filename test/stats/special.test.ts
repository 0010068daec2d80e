import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { incompleteBeta } from '../../results/stats/special/beta.js';
import { binomialCdf, signTest } from '../../results/stats/special/binomial.js';
import { noncentralUpper } from '../../results/stats/special/noncentral-t.js';
import { normalCdf, normalQuantile, normalUpper } from '../../results/stats/special/normal.js';
import { rootBetween } from '../../results/stats/special/root.js';
import { deviance, stirlingError } from '../../results/stats/special/stirling.js';
import { studentCdf, studentQuantile, studentTwoSided, studentUpper } from '../../results/stats/special/student-t.js';
import { comparisons, fixture } from './comparisons.js';

interface Functions {
  readonly specialFunctions: {
    readonly normCdf: readonly (readonly [number, number])[];
    readonly normPpf: readonly (readonly [number, number])[];
    readonly tTwoSidedP: readonly (readonly [number, number, number])[];
    readonly tPpf: readonly (readonly [number, number, number])[];
    readonly binomTwoSided: readonly (readonly [number, number, number])[];
  };
}

const { specialFunctions } = fixture<Functions>('stats/stats.json');

test('the 246 values of the fixtures', () => {
  const { special, wrong, counts } = comparisons();
  for (const [x, value] of specialFunctions.normCdf) special(normalCdf(x), value, `Φ(${x})`);
  for (const [p, value] of specialFunctions.normPpf) special(normalQuantile(p), value, `Φ⁻¹(${p})`);
  for (const [t, df, value] of specialFunctions.tTwoSidedP) special(studentTwoSided(t, df), value, `p(${t}, ${df})`);
  for (const [p, df, value] of specialFunctions.tPpf) special(studentQuantile(p, df), value, `t(${p}, ${df})`);
  for (const [k, n, value] of specialFunctions.binomTwoSided) special(signTest(k, n - k), value, `binomial ${k}/${n}`);
  expect(wrong).toEqual([]);
  expect(counts.compared).toBe(246);
});

test('the 50 values of mpmath 1.3 in 40 digits, most of them far out in the tails, to 1e-12 of the value', () => {
  const oracle = fixture<Readonly<Record<string, readonly (readonly number[])[]>>>('stats/special.json');
  const functions: Readonly<Record<string, (...of: number[]) => number>> = {
    normalCdf,
    normalQuantile,
    incompleteBeta: (a, b, x) => incompleteBeta({ a, b, x, y: 1 - x }),
    studentTwoSided,
    noncentralUpper: (t, df, shift) => noncentralUpper(t, { df, shift }),
  };
  const rows = Object.entries(functions).flatMap(([name, f]) =>
    oracle[name].map((row) => ({
      at: `${name}(${row.slice(0, -1)})`,
      actual: f(...row.slice(0, -1)),
      expected: row.at(-1) ?? Number.NaN,
    })),
  );
  expect(rows.filter(({ actual, expected }) => !(Math.abs(actual / expected - 1) <= 1e-12))).toEqual([]);
  expect(rows.length).toBe(50);
});

describe('laws', () => {
  const share = fc.double({ min: 1e-12, max: 1, maxExcluded: true, noNaN: true });
  const df = fc.double({ min: 0.5, max: 1e5, noNaN: true });

  test('quantiles invert their distributions, and tails add up to 1', () => {
    fc.assert(
      fc.property(share, df, (p, degrees) => {
        expect(normalCdf(normalQuantile(p)) / p).toBeCloseTo(1, 12);
        const t = studentQuantile(p, degrees);
        expect(studentCdf(t, degrees) / p).toBeCloseTo(1, 9);
        expect(studentCdf(t, degrees) + studentUpper(t, degrees)).toBeCloseTo(1, 12);
        expect(normalUpper(2 * p) + normalCdf(2 * p)).toBeCloseTo(1, 14);
      }),
    );
  });

  test('Iₓ(a, b) + I_y(b, a) = 1, and it rises with x', () => {
    const shape = fc.double({ min: 0.01, max: 2000, noNaN: true });
    fc.assert(
      fc.property(shape, shape, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, x) => {
        const value = incompleteBeta({ a, b, x, y: 1 - x });
        expect(value + incompleteBeta({ a: b, b: a, x: 1 - x, y: x })).toBeCloseTo(1, 12);
        expect(value).toBeLessThanOrEqual(incompleteBeta({ a, b, x: x + (1 - x) / 2, y: (1 - x) / 2 }) + 1e-13);
        expect(value >= -1e-15 && value <= 1 + 1e-15).toBe(true);
      }),
    );
  });

  test('the noncentral t is the central one without a shift, and its sides mirror', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -6, max: 6, noNaN: true }),
        fc.double({ min: 1, max: 500, noNaN: true }),
        (t, degrees) => {
          expect(noncentralUpper(t, { df: degrees, shift: 0 })).toBeCloseTo(studentUpper(t, degrees), 12);
          const both =
            noncentralUpper(t, { df: degrees, shift: 1.5 }) + noncentralUpper(-t, { df: degrees, shift: -1.5 });
          expect(both).toBeCloseTo(1, 12);
        },
      ),
    );
  });

  test('the noncentral t with a far shift: both grids agree, and the ends are 0 and 1', () => {
    for (const df of [1, 2.5, 9]) {
      for (const t of [10, 40, 100]) {
        const at = (shift: number): number => noncentralUpper(t, { df, shift });
        const line = at(50) + ((at(50) - at(49.99)) / 0.01) * 1e-6;
        expect(at(50 + 1e-6)).toBeCloseTo(line, 10);
        expect(at(60)).toBeGreaterThanOrEqual(at(50));
      }
    }
    expect(noncentralUpper(2, { df: 1, shift: 1e9 })).toBe(1);
    expect(noncentralUpper(2, { df: 1, shift: -1e9 })).toBe(0);
    expect(noncentralUpper(-2, { df: 1, shift: -1e9 })).toBe(0);
    expect(noncentralUpper(1e6, { df: 1, shift: 1e6 })).toBeCloseTo(2 * normalCdf(1) - 1, 9);
  });

  test('the binomial sums its own terms', () => {
    for (const [trials, chance] of [
      [1, 0.3],
      [7, 0.5],
      [20, 0.05],
      [33, 0.9],
    ] as const) {
      let term = (1 - chance) ** trials;
      let sum = 0;
      for (let k = 0; k < trials; k++) {
        sum += term;
        expect(binomialCdf(k, { trials, chance })).toBeCloseTo(sum, 12);
        term *= (((trials - k) / (k + 1)) * chance) / (1 - chance);
      }
    }
    expect(binomialCdf(-1, { trials: 3, chance: 0.5 })).toBe(0);
    expect(binomialCdf(3, { trials: 3, chance: 0.5 })).toBe(1);
    expect(signTest(0, 0)).toBe(1);
  });

  test('what Stirling leaves out, against factorials, and the deviance where it would cancel', () => {
    let factorial = 1;
    for (let n = 1; n <= 20; n++) {
      factorial *= n;
      const plain = Math.log(factorial / (Math.sqrt(2 * Math.PI * n) * (n / Math.E) ** n));
      expect(stirlingError(n)).toBeCloseTo(plain, 13);
    }
    expect(stirlingError(0.5)).toBeCloseTo(
      Math.log(Math.sqrt(Math.PI) / 2) - Math.log(Math.sqrt(Math.PI) * (0.5 / Math.E) ** 0.5),
      14,
    );
    expect(deviance(1e6, 1e6 + 1) * 2e6).toBeCloseTo(1 - 2 / 3e6, 9);
    expect(deviance(3, 3)).toBe(0);
    expect(deviance(3, 5)).toBeCloseTo(3 * Math.log(0.6) + 2, 15);
  });
});

describe('edges', () => {
  test('the ends of the quantiles, and what is no probability', () => {
    expect([normalQuantile(0), normalQuantile(0.5), normalQuantile(1)]).toEqual([-Infinity, 0, Infinity]);
    expect([studentQuantile(0, 3), studentQuantile(0.5, 3), studentQuantile(1, 3)]).toEqual([-Infinity, 0, Infinity]);
    for (const p of [-0.1, 1.1, Number.NaN]) {
      expect(() => normalQuantile(p)).toThrow(expect.objectContaining({ code: 'refused' }));
      expect(() => studentQuantile(p, 3)).toThrow(expect.objectContaining({ code: 'refused' }));
    }
    expect(studentTwoSided(Infinity, 3)).toBe(0);
    expect(studentTwoSided(1e200, 3)).toBe(0);
    expect(incompleteBeta({ a: 2, b: 2, x: 0, y: 1 })).toBe(0);
    expect(incompleteBeta({ a: 2, b: 2, x: 1, y: 0 })).toBe(1);
  });

  test('the root finder ends on roots at the ends, steep and flat ones', () => {
    expect(rootBetween((x) => x, 0, 1)).toBeCloseTo(0, 15);
    expect(rootBetween((x) => x - 1, 0, 1)).toBe(1);
    expect(rootBetween((x) => x ** 9 - 1e-9, 0, 5)).toBeCloseTo(0.1, 12);
    expect(rootBetween((x) => Math.atan(1e6 * (x - 0.3)), -1, 1)).toBeCloseTo(0.3, 15);
  });
});
