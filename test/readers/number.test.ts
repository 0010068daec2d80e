import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberAt } from '../../results/readers/number.js';

const read = (text: string) => numberAt(`x ${text} y`, 2, 2 + text.length);

test.each([
  ['0', 0],
  ['-0', -0],
  ['+1', 1],
  ['.5', 0.5],
  ['5.', 5],
  ['10e-1', 1],
  ['1E+2', 100],
  ['1e400', Number.POSITIVE_INFINITY],
  ['-1e400', Number.NEGATIVE_INFINITY],
  ['1e-320', 1e-320],
  ['0.30000000000000004', 0.30000000000000004],
  ['123456789012345', 123456789012345],
  ['1234567890123456789', 1234567890123456800],
  ['0.000000000000001', 1e-15],
  ['inf', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['NaN', Number.NaN],
  ['-nan', Number.NaN],
  ['0x1p3', 8],
  ['-0X1.8p-1', -0.75],
])('%s is %d', (text, value) => {
  expect(read(text)).toBe(value);
});

test.each([
  '',
  '.',
  '+',
  '-',
  'abc',
  '1,5',
  '1_000',
  '1e',
  '1e+',
  '1.2.3',
  '--1',
  '1 2',
  '0x',
  '0x1p',
  '12a',
  '٣',
  '1e1.5',
  'infinit',
  'e5',
])('%j is not a number', (text) => {
  expect(read(text)).toBeUndefined();
});

test('reads every double as Number does, in every form', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: 0, max: 17 }),
      (value, digits) => {
        for (const text of [
          String(value),
          value.toExponential(digits),
          value.toFixed(digits),
          value.toPrecision(digits + 1),
        ]) {
          expect(read(text)).toBe(Number(text));
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('reads short decimals, the usual scores, as Number does', () => {
  const decimal = fc.tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }));
  fc.assert(
    fc.property(decimal, ([whole, digits]) => {
      const text = (whole / 10 ** digits).toFixed(digits);
      expect(read(text)).toBe(Number(text));
    }),
    { numRuns: 2000 },
  );
});
