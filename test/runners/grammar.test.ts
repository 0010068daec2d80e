import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultSystems } from '../../runners/default-systems.js';
import { familyOf, parseSystem, splitSystems } from '../../runners/grammar.js';
import { namingCatalog } from '../../runners/models/catalog.js';

test.each(defaultSystems)('%s is canonical: parsing prints it back', (text) => {
  expect(parseSystem(text, namingCatalog().catalog).id).toBe(text);
});

test.each([
  ['lsa', 'lsa@256'],
  [' bm25 ', 'bm25'],
  ['bm25@k1=1.2,b=0.75', 'bm25'],
  ['bm25@scoring=robertson,k1=0.9,b=0.4', 'bm25@scoring=robertson,k1=0.9,b=0.4'],
  ['bm25@scoring=bm25+', 'bm25@scoring=bm25+'],
  ['bm25@analyzer=snowball@fr,k1=0.9', 'bm25@k1=0.9,analyzer=snowball@fr'],
  ['lsa@64 > tf-idf@analyzer=segmenter@ja@20', 'lsa@64 > tf-idf@analyzer=segmenter@ja@20'],
  ['hybrid>lsa@256@100', 'hybrid > lsa@256@100'],
  ['hybrid > bm25', 'hybrid > bm25@100'],
  ['bm25 > lsa@256@50', 'bm25 > lsa@256@50'],
  ['bm25 > lsa@256@100 > bm25@20', 'bm25 > lsa@256@100 > bm25@20'],
  ['rrf(bm25, lsa@256)', 'rrf(bm25, lsa@256)'],
  ['rrf@60(bm25, lsa@256)', 'rrf(bm25, lsa@256)'],
  ['rrf@10(bm25@scoring=robertson,k1=0.9,b=0.4, lsa@64)', 'rrf@10(bm25@scoring=robertson,k1=0.9,b=0.4, lsa@64)'],
  ['rrf(bm25, rrf(lsa@64, tf-idf)) > lsa@256@50', 'rrf(bm25, rrf(lsa@64, tf-idf)) > lsa@256@50'],
  ['lsa@256+truncate@128+int8+rescore@4', 'lsa@256+truncate@128+int8+rescore@4'],
])('%s is read as %s', (text, id) => {
  expect(parseSystem(text).id).toBe(id);
  expect(parseSystem(id).id).toBe(id);
});

test.each([
  ['bm52', 'Did you mean `bm25`?'],
  ['lsa@256+int9', 'Did you mean `int8`?'],
  ['bm25@analyzer=englsh', 'Did you mean `english`?'],
  ['hybird > bm25@100', 'Did you mean `hybrid`?'],
  ['hybrid > lsa@256', 'could be an argument or the depth'],
  ['bm25 > hybrid@10', 'frozen pool cannot reorder'],
  ['bm25 > bm25@0', 'depth is at least 1'],
  ['rrf(bm25)', 'at least two systems'],
  ['rrf(bm25, lsa@256', 'parentheses'],
  ['bm25)', 'parentheses'],
  ['', 'empty part'],
  ['bm25 > ', 'empty part'],
  ['lsa@0', 'whole number'],
  ['__proto__', 'Unknown system'],
  ['x'.repeat(10_000), 'Unknown system'],
])('%s is refused in one sentence', (text, message) => {
  expect(() => parseSystem(text)).toThrow(message);
});

test('a list is separated by a comma and a blank, outside parentheses', () => {
  const list = 'bm25, bm25@scoring=robertson,k1=0.9,b=0.4, rrf(bm25, lsa@256), hybrid > lsa@256@100';
  expect(splitSystems(list)).toEqual([
    'bm25',
    'bm25@scoring=robertson,k1=0.9,b=0.4',
    'rrf(bm25, lsa@256)',
    'hybrid > lsa@256@100',
  ]);
  expect(splitSystems('bm25')).toEqual(['bm25']);
  expect(splitSystems('')).toEqual([]);
});

test('any list of systems splits into its systems', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...defaultSystems), { minLength: 1 }), (systems) => {
      expect(splitSystems(systems.join(', '))).toEqual(systems);
    }),
  );
});

test('a pipeline and a fusion have the family of their last stage', () => {
  expect(familyOf(parseSystem('hybrid > bm25@100'))).toBe('lexical');
  expect(familyOf(parseSystem('bm25 > lsa@256@50'))).toBe('dense');
  expect(familyOf(parseSystem('rrf(lsa@256, bm25)'))).toBe('lexical');
  expect(familyOf(parseSystem('hybrid'))).toBe('dense');
});
