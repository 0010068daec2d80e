import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundTo } from '../../results/precision.js';
import { golden } from './golden.js';

interface Rounding {
  readonly f32: number;
  readonly bf16: number | string;
  readonly fp16: number | string;
}

/** JSON has no infinity, so the fixture writes Python's words. */
const numberOf = (value: number | string) =>
  typeof value === 'number' ? value : Number(value.replace(/^(-?)inf$/i, '$1Infinity'));

test('240 float32 values round to bf16 and fp16 as numpy and exact rationals do', () => {
  const { rounding } = golden<{ rounding: Rounding[] }>('ties/rounding.json');
  expect(rounding.length).toBe(240);
  for (const { f32, bf16, fp16 } of rounding) {
    expect(roundTo(numberOf(f32), 'bf16')).toBe(numberOf(bf16));
    expect(roundTo(numberOf(f32), 'fp16')).toBe(numberOf(fp16));
  }
});

test('f64 leaves a score, f32 is the nearest float', () => {
  expect(roundTo(0.1, 'f64')).toBe(0.1);
  expect(roundTo(0.1, 'f32')).toBe(Math.fround(0.1));
});

test('NaN and infinities stay, what is too large becomes infinite, halves go to even', () => {
  for (const precision of ['f32', 'bf16', 'fp16'] as const) {
    expect(roundTo(Number.NaN, precision)).toBeNaN();
    expect(roundTo(Number.NEGATIVE_INFINITY, precision)).toBe(Number.NEGATIVE_INFINITY);
    expect(roundTo(-1e300, precision)).toBe(Number.NEGATIVE_INFINITY);
    expect(roundTo(1e-300, precision)).toBe(0);
    expect(roundTo(-1e-300, precision)).toBe(-0);
  }
  expect([65519.99, 65520].map((value) => roundTo(value, 'fp16'))).toEqual([65504, Number.POSITIVE_INFINITY]);
  expect([1 + 2 ** -8, 1 + 3 * 2 ** -8].map((value) => roundTo(value, 'bf16'))).toEqual([1, 1 + 2 ** -6]);
});

test('rounding keeps order and is done once', () => {
  const number = fc.double({ noNaN: true });
  const low = fc.constantFrom('f32', 'bf16', 'fp16');
  fc.assert(
    fc.property(number, number, low, (a, b, precision) => {
      const [x, y] = [roundTo(a, precision), roundTo(b, precision)];
      if (a <= b) expect(x <= y).toBe(true);
      expect(roundTo(x, precision)).toBe(x);
    }),
  );
});
