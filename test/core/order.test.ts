import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byCodePoint } from '../../core/order.js';

test('orders as Python and UTF-8 bytes do: z, U+FF5E, U+1F600 (hakari-bench, §2.4)', () => {
  expect(['\u{1F600}', '～', 'z'].sort(byCodePoint)).toEqual(['z', '～', '\u{1F600}']);
});

test('equals the order of UTF-8 bytes', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(byCodePoint(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
