import { expect, test } from 'vitest';
import { listFrom } from '../../results/measures/notation.js';
import { parseMeasure } from '../../results/measures/parse.js';

test('ERR refuses a grade above its scale, and takes the highest one', () => {
  const list = listFrom('5 1');
  expect(() => parseMeasure('ERR@20').evaluate(list)).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.stringContaining('`ERR(max=5)@20`') }),
  );
  expect(parseMeasure('ERR(max=5)@1').evaluate(list).expected).toBe(31 / 32);
});

test('ERR stays within [0, 1] in long lists and large ties', () => {
  const grades = Array.from({ length: 2000 }, (_, i) => (i % 5 === 0 ? 4 : i % 3));
  const list = { grades, groupEnds: [1000, 2000], judged: [...grades].sort((a, b) => b - a), level: 1 };
  const { min, expected, max } = parseMeasure('ERR').evaluate(list);
  expect(0 < min && min < expected && expected < max && max < 1).toBe(true);
});
