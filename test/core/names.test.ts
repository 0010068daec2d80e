import { expect, test } from 'vitest';
import { printable, TenbinError } from '../../core/errors.js';
import { folderName, taskId } from '../../core/ids.js';
import { bytesText, durationText } from '../../core/numbers.js';
import { registry, splitArgument, wholeNumber } from '../../core/registry.js';
import { nearest } from '../../core/suggest.js';

const fruit = registry<string>('fruit', 'tenbin fruit', [
  { name: 'apple', summary: 'round', bind: (argument) => `apple ${argument ?? ''}` },
  { name: 'pear', summary: 'long', bind: () => 'pear' },
]);

test('a registry binds name@argument and suggests the nearest name', () => {
  expect(fruit.bind('apple@3@4')).toBe('apple 3@4');
  expect(() => fruit.get('aple')).toThrow('Unknown fruit: `aple`. Did you mean `apple`? `tenbin fruit` lists all.');
  expect(() => fruit.get('__proto__')).toThrow('Unknown fruit');
  expect(() => registry('x', 'y', [fruit.get('pear'), fruit.get('pear')])).toThrow('one name');
});

test('nearest finds what was meant and nothing for noise', () => {
  expect(nearest('ndgc', ['nDCG', 'RR'])).toBe('nDCG');
  expect(nearest('embed', ['embedded-en', 'demo'])).toBe('embedded-en');
  expect(nearest('qqqqqqqq', ['nDCG', 'RR'])).toBeUndefined();
  expect(nearest('x'.repeat(10_000), ['nDCG'])).toBeUndefined();
});

test('arguments', () => {
  expect(splitArgument('lsa')).toEqual({ name: 'lsa', argument: undefined });
  expect(splitArgument('lsa@')).toEqual({ name: 'lsa', argument: '' });
  expect(wholeNumber('lsa', '256', 2)).toBe(256);
  for (const wrong of ['', '1.5', '-3', '1e3', ' 4', '0', '99999999']) {
    expect(() => wholeNumber('lsa', wrong, 2)).toThrow(TenbinError);
  }
});

test.each(['../x/y', 'a/b/c', 'a', 'A/b', 'a/..', 'a/.b', '/a', 'a/', `a/${'b'.repeat(101)}`, 'a/b\n'])(
  'the task id %j is refused: it would become a path',
  (text) => {
    expect(() => taskId(text)).toThrow('SUITE/TASK');
  },
);

test('folder names are safe on every file system and apart for different systems', () => {
  const systems = [
    'bm25',
    'BM25',
    'hybrid > lsa@256@100',
    'a/../../b',
    'CON',
    '.',
    '',
    '你好',
    'x'.repeat(500),
    'a b',
    'a_b',
  ];
  const names = systems.map(folderName);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(systems.length);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9._=+-]{11,91}$/);
});

test('hostile values are printed on one line', () => {
  expect(printable('a\nb\t\u0000\u202e')).toBe('a\\x0ab\\x09\\x00\\u{202e}');
  expect(printable('x'.repeat(10_000))).toBe(`${'x'.repeat(200)}… (10000 characters)`);
});

test('numbers for people', () => {
  expect([0, 1, 1023, 1536, 3 * 2 ** 30].map(bytesText)).toEqual(['0 B', '1 B', '1023 B', '1.5 KiB', '3.0 GiB']);
  expect([0.123, 42.4, 1300, 125_000].map(durationText)).toEqual(['0.12 ms', '42 ms', '1.3 s', '2 min 5 s']);
});
