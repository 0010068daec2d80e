import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printfFixed } from '../../results/trec/number.js';
import { printfOracle } from './printf.js';

test.each([
  [0, '0.0000'],
  [1, '1.0000'],
  [0.03125, '0.0312'],
  [0.09375, '0.0938'],
  [0.15625, '0.1562'],
  [1 / 32 + 2 ** -50, '0.0313'],
  [0.00005, '0.0001'],
  [0.12345, '0.1235'],
  [1 - 2 ** -53, '1.0000'],
  [Number.MIN_VALUE, '0.0000'],
  [123456.03125, '123456.0312'],
])('%f is printed as %s, as printf does', (value, text) => {
  expect(printfFixed(value, 4)).toBe(text);
  expect(printfOracle(value, 4)).toBe(text);
});

test('two digits, for the recalls in names', () => {
  expect([0, 0.1, 0.125, 0.375, 0.995, 1, 2.5].map((value) => printfFixed(value, 2))).toEqual([
    '0.00',
    '0.10',
    '0.12',
    '0.38',
    '0.99',
    '1.00',
    '2.50',
  ]);
});

test('every number is rounded from its exact value, halves to even', () => {
  const near = (value: number) => fc.constantFrom(-2, -1, 0, 1, 2).map((ulps) => value + ulps * 2 ** -52 * value);
  const value = fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1e9, noNaN: true }),
    fc.tuple(fc.nat(1_000_000), fc.integer({ min: 1, max: 2000 })).map(([a, b]) => a / b),
    fc.nat(3_200_000).map((halves) => halves / 32),
    fc.nat(20_000).chain((halves) => near(halves / 20_000)),
    fc.nat(1000).chain((halves) => near((2 * halves + 1) / 32)),
  );
  fc.assert(
    fc.property(value, fc.constantFrom(2, 4), (number, digits) => {
      expect(printfFixed(number, digits)).toBe(printfOracle(number, digits));
    }),
    { numRuns: 5000 },
  );
});
