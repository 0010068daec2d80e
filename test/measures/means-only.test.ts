import { expect, test } from 'vitest';
import { meansOnly } from '../../results/measures/means-only.js';
import { parseMeasure } from '../../results/measures/parse.js';

test('sums and geometric means stand in no table of means', () => {
  const means = ['nDCG@10', 'Oracle(AP)', 'Judged@10'].map(parseMeasure);
  expect(meansOnly(means)).toBe(means);
  for (const [name, kind] of [
    ['NumRet', 'a sum'],
    ['GMAP', 'a geometric mean'],
  ]) {
    expect(() => meansOnly([...means, parseMeasure(name)])).toThrow(`This measure is ${kind} over queries`);
  }
});
