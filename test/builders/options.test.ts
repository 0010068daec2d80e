import { expect, test } from 'vitest';
import { checkOptions, defaultBuildOptions, optionRanges } from '../../builders/options.js';

test('nothing given means the documented defaults', () => {
  expect(checkOptions({})).toEqual(defaultBuildOptions);
  expect(defaultBuildOptions).toMatchObject({
    queries: 200,
    docs: 10000,
    seed: 17,
    sampler: 'hash',
    depth: 500,
    rrfK: 60,
    poolSize: 100,
  });
});

test.each(Object.entries(optionRanges))('%s is checked against its range', (name, [min, max]) => {
  for (const value of [min - 1, max + 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => checkOptions({ [name]: value })).toThrow(new RegExp(`option ${name} is a whole number`));
  }
  expect(checkOptions({ [name]: min })).toMatchObject({ [name]: min });
  expect(checkOptions({ [name]: max })).toMatchObject({ [name]: max });
});

test('names are checked and the nearest is suggested', () => {
  expect(() => checkOptions({ sampler: 'hsah' })).toThrow(/Did you mean `hash`/);
  expect(() => checkOptions({ sampler: 'hash@3' })).toThrow(/takes no argument/);
  expect(() => checkOptions({ safeguard: 'apend' as 'append' })).toThrow(/Did you mean `append`/);
  expect(() => checkOptions({ dense: 'lsb@256' })).toThrow(/Unknown system/);
});

test.each(['bm25', 'hybrid', 'rrf(bm25, lsa@256)', 'bm25 > lsa@256@50'])('%s cannot make the dense pool', (dense) => {
  expect(() => checkOptions({ dense })).toThrow(/made by a dense model/);
});

test('languages are BCP-47', () => {
  expect(checkOptions({ language: 'pt-br' }).language).toBe('pt-BR');
  for (const language of ['', 'english language', 'e', '../x', 'en_US', 'en-']) {
    expect(() => checkOptions({ language })).toThrow(/BCP-47/);
  }
});
