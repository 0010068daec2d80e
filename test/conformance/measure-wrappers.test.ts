import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listFrom } from '../../results/measures/notation.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { measureWrappers } from '../../results/measures/wrappers/index.js';
import type { GradedList } from '../../results/types.js';

const inside = ['nDCG@3', "nDCG(dcg='exp-log2')@10", 'AP', 'RR@2', 'P@2', 'R@3', 'Success@1', 'Rprec', 'ERR(max=3)@5'];
const grade = fc.constantFrom(null, -1, 0, 1, 2, 3);

const list: fc.Arbitrary<GradedList> = fc
  .record({ grades: fc.array(grade, { maxLength: 7 }), ends: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }) })
  .map(({ grades, ends }) => ({
    grades,
    groupEnds: grades.map((_, i) => i + 1).filter((end) => end === grades.length || ends[end - 1]),
    judged: [...grades.filter((value) => value !== null), 2].sort((a, b) => b - a),
    level: 1,
  }));

describe.each(measureWrappers.map((wrapper) => ({ name: wrapper.name, wrapper })))('$name', ({ wrapper }) => {
  test.each(wrapper.examples)('$what: $measure of $list', ({ measure, list, value }) => {
    const wanted = typeof value === 'number' ? { expected: value, min: value, max: value } : value;
    const actual = parseMeasure(measure).evaluate(listFrom(list));
    for (const key of ['expected', 'min', 'max'] as const) expect(actual[key]).toBeCloseTo(wanted[key], 12);
    expect(parseMeasure(measure).name).toBe(measure);
  });

  test('prints the measure inside in its canonical form', () => {
    expect(parseMeasure(`${wrapper.name.toLowerCase()}( ndcg_cut_10 )`).name).toBe(`${wrapper.name}(nDCG@10)`);
    expect(parseMeasure(`${wrapper.name}(nDCG(dcg=exp-log2)@5)`).name).toBe(`${wrapper.name}(nDCG(dcg='exp-log2')@5)`);
  });

  test.each(['', '()', '(nDCG)@10', '(nope@10)', '(NumRet)', '(GMAP)'])(
    '%s is wrong use, with what to write',
    (rest) => {
      expect(() => parseMeasure(wrapper.name + rest)).toThrow(/nDCG@10|tenbin measures/);
    },
  );
});

test('no order of the candidates beats the oracle, and headroom is what is left to it', () => {
  fc.assert(
    fc.property(list, fc.constantFrom(...inside), (given, name) => {
      const value = parseMeasure(name).evaluate(given);
      const best = parseMeasure(`Oracle(${name})`).evaluate(given);
      const left = parseMeasure(`Headroom(${name})`).evaluate(given);
      expect(best.min).toBe(best.max);
      expect(value.max).toBeLessThanOrEqual(best.expected + 1e-12);
      expect(left.expected).toBeCloseTo(best.expected - value.expected, 12);
      expect(left.min).toBeCloseTo(best.expected - value.max, 12);
    }),
  );
});

test('reranking leaves CandidateRecall as it is', () => {
  fc.assert(
    fc.property(list, fc.nat(), (given, turn) => {
      const n = given.grades.length;
      const rotated = given.grades.map((_, i) => given.grades[(i + turn) % Math.max(1, n)]);
      const reranked = { ...given, grades: rotated, groupEnds: rotated.map((_, i) => i + 1) };
      const measure = parseMeasure(`CandidateRecall@${Math.max(1, n)}`);
      expect(measure.evaluate(reranked).expected).toBeCloseTo(measure.evaluate(given).expected, 12);
    }),
  );
});
