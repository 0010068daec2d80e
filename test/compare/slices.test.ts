import { expect, test } from 'vitest';
import { type SliceFacts, slicerFor } from '../../results/slices.js';

const facts: SliceFacts = {
  suite: 'embedded-en',
  task: 'embedded-en/cwe',
  language: 'en',
  domain: 'security',
  text: 'buffer overflow in parser',
  meta: { year: 2005, kind: 'cve', nested: { a: 1 } },
  positiveLengths: [100, 1901],
};

test.each([
  ['suite', 'suite:embedded-en'],
  ['task', 'task:embedded-en/cwe'],
  ['language', 'language:en'],
  ['domain', 'domain:security'],
  ['query-length', 'query-length:4–7 words'],
  ['doc-length', 'doc-length:1000–3999 characters'],
  ['positives', 'positives:2'],
  ['meta.year', 'meta.year:2005'],
  ['meta.kind', 'meta.kind:cve'],
  ['meta.nested', null],
  ['meta.missing', null],
  ['meta.toString', null],
])('%s is %s', (name, slice) => {
  expect(slicerFor(name)(facts)).toBe(slice);
});

test.each([
  [0, '0'],
  [1, '1'],
  [2, '2'],
  [3, '3–5'],
  [5, '3–5'],
  [6, '6–10'],
  [10, '6–10'],
  [11, '11+'],
  [500, '11+'],
])('%i relevant documents are in the step %s', (count, step) => {
  expect(slicerFor('positives')({ ...facts, positiveLengths: Array(count).fill(9) })).toBe(`positives:${step}`);
});

test.each(['positive', 'toString', '__proto__', 'meta.'])('%s is unknown', (name) => {
  expect(() => slicerFor(name)).toThrow(/Unknown slice/);
});
