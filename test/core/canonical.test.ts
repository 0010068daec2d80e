import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, prettyJson } from '../../core/canonical.js';
import { digestOf } from '../../core/digest.js';

test('keys stand in code-point order, undefined ones are left out, numbers are shortest', () => {
  expect(canonicalJson({ b: 0.1 + 0.2, a: [1, null, 'é'], c: undefined, '\u{1F600}': 1, '～': 2 })).toBe(
    '{"a":[1,null,"é"],"b":0.30000000000000004,"～":2,"\u{1F600}":1}',
  );
});

test('reads back as the same value, pretty or not', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
      expect(JSON.parse(prettyJson(plain))).toEqual(plain);
    }),
  );
});

test('the digest does not depend on the order of keys', () => {
  expect(digestOf({ a: 1, b: { c: 2, d: 3 } })).toBe(digestOf({ b: { d: 3, c: 2 }, a: 1 }));
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%s is refused', (number) => {
  expect(() => canonicalJson({ score: number })).toThrow('not finite');
});

test('hostile keys are keys like any other', () => {
  const value = JSON.parse('{"__proto__":1,"constructor":2}');
  expect(canonicalJson(value)).toBe('{"__proto__":1,"constructor":2}');
});
