import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTolerantJson } from '../../results/imports/tolerant-json.js';

const parse = (text: string) => parseTolerantJson(text, 'a.json');

test('bare NaN and infinities become null, in objects and lists', () => {
  expect(parse('{"a": NaN, "b": [Infinity, -Infinity, -1], "c": -0.5}')).toEqual({
    a: null,
    b: [null, null, -1],
    c: -0.5,
  });
  expect(parse('NaN')).toBeNull();
});

test('strings keep these words, also behind escaped quotes and backslashes', () => {
  const value = { NaN: 'NaN, -Infinity', 'a"NaN': '\\', b: '\\"NaN', 'Infinity\\': ['{[NaN'] };
  expect(parse(JSON.stringify(value))).toEqual(value);
});

test('whatever JSON holds is read as JSON.parse reads it', () => {
  const words = fc.constantFrom('NaN', 'Infinity', '-Infinity', '"', '\\', '{', ']', '\u2028', '😀');
  const text = fc
    .array(fc.oneof(words, fc.string({ unit: 'binary' })), { maxLength: 4 })
    .map((parts) => parts.join(''));
  const json = fc.jsonValue({ maxDepth: 5 });
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(json, text)), (value) => {
      const written = JSON.stringify(value);
      expect(parse(written)).toEqual(JSON.parse(written));
    }),
  );
});

test('a key `__proto__` is a key and changes no prototype', () => {
  const value = parse('{"__proto__": {"polluted": NaN}}') as object;
  expect(Object.hasOwn(value, '__proto__')).toBe(true);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test('64 levels are read and 65 are refused with the line', () => {
  const nested = (levels: number) => `\n${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(JSON.stringify(parse(nested(64)))).toBe(nested(64).trim());
  expect(() => parse(nested(65))).toThrow('nested more than 64 deep, as no result file is: a.json:2.');
});

test.each(['{"a": 1', '{"a": NaNa}', '{"a": "NaN}', '', '{"a": -Infinityx}', '[nan]', '{"a": 1}}'])(
  '%j is refused',
  (text) => {
    expect(() => parse(text)).toThrow('This file is not JSON');
  },
);
