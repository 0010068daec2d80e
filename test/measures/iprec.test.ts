import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { interpolatedPrecision } from '../../results/measures/interpolated.js';
import { listFrom } from '../../results/measures/notation.js';
import { parseMeasure } from '../../results/measures/parse.js';
import type { GradedList } from '../../results/types.js';

const grade = fc.constantFrom(null, -1, 0, 0, 1, 1, 2);

const listOf = (
  grades: readonly (number | null)[],
  missed: readonly number[],
  groupEnds: readonly number[],
): GradedList => ({
  grades,
  groupEnds,
  judged: [...grades, ...missed].filter((value) => value !== null).sort((a, b) => b - a),
  level: 1,
});
const untied = (grades: readonly (number | null)[], missed: readonly number[]) =>
  listOf(
    grades,
    missed,
    grades.map((_, i) => i + 1),
  );

/** From the definition: the best precision of a rank at which that many relevant documents have come. */
function naive({ grades, judged }: GradedList, recall: number, rounding: 'up' | 'nearest'): number {
  const relevant = (value: number | null) => value !== null && value >= 1;
  const exact = recall * judged.filter(relevant).length;
  const wanted = rounding === 'up' ? Math.trunc(exact + 0.9) : Math.round(exact);
  const precisions = grades.map((_, i) => {
    const found = grades.slice(0, i + 1).filter(relevant).length;
    return found >= wanted ? found / (i + 1) : 0;
  });
  return grades.filter(relevant).length >= wanted ? Math.max(0, ...precisions) : 0;
}

const recall = fc.constantFrom(0, 0.1, 0.15, 0.2, 0.25, 0.4, 0.5, 0.7, 0.9, 1, 1.5);

test('without ties it is the definition, in both roundings', () => {
  const rounding = fc.constantFrom('up', 'nearest');
  fc.assert(
    fc.property(
      fc.array(grade, { maxLength: 12 }),
      fc.array(grade, { maxLength: 4 }),
      recall,
      rounding,
      (grades, missed, at, how) => {
        const list = untied(
          grades,
          missed.filter((value) => value !== null),
        );
        const measure = parseMeasure(`IPrec(rounding='${how}')@${at}`);
        expect(measure.evaluate(list).expected).toBe(naive(list, at, how));
      },
    ),
    { numRuns: 500 },
  );
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

test('over two groups of ties it is what enumerating every order gives, at every recall', () => {
  const group = fc.array(grade, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(group, group, recall, (first, second, at) => {
      const orders = permutations(first).flatMap((a) => permutations(second).map((b) => [...a, ...b]));
      const values = orders.map((grades) => naive(untied(grades, [1]), at, 'up'));
      const { expected, min, max } = parseMeasure(`IPrec@${at}`).evaluate(
        listOf([...first, ...second], [1], [first.length, first.length + second.length]),
      );
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(Math.abs(expected - mean)).toBeLessThan(1e-12);
      expect([min, max]).toEqual([Math.min(...values), Math.max(...values)]);
    }),
    { numRuns: 150 },
  );
});

describe('one large group', () => {
  const constant = (size: number, relevant: number) =>
    listOf([...Array<number>(relevant).fill(1), ...Array<number>(size - relevant).fill(0)], [], [size]);

  test('one relevant document: the mean of 1/rank', () => {
    for (const size of [100, 4096]) {
      const harmonic = Array.from({ length: size }, (_, i) => 1 / (i + 1)).reduce((sum, value) => sum + value, 0);
      expect(interpolatedPrecision(constant(size, 1), 1, 1).expected).toBeCloseTo(harmonic / size, 12);
    }
  });

  test('beyond the limit the grid keeps the error that it states', () => {
    const size = 5000;
    const harmonic = Array.from({ length: size }, (_, i) => 1 / (i + 1)).reduce((sum, value) => sum + value, 0);
    const { expected, min, max } = interpolatedPrecision(constant(size, 1), 1, 1);
    expect([min, max]).toEqual([1 / size, 1]);
    expect(Math.abs(expected - harmonic / size)).toBeLessThan(1 / 1024);
  });

  test('a constant scorer over 20,000 documents with 100 relevant ones', () => {
    const { expected, min, max } = parseMeasure('IPrec').evaluate(constant(20_000, 100));
    expect(min).toBeLessThan(expected);
    expect(expected).toBeLessThan(max);
    expect(max).toBe(1);
  });
});

describe('names', () => {
  test.each([
    ['IPrec@0.1', 'IPrec@0.1'],
    ['iprec@.1', 'IPrec@0.1'],
    ['IPrec@1', 'IPrec@1.0'],
    ['IPrec@0', 'IPrec@0.0'],
    ['iprec_at_recall_0.10', 'IPrec@0.1'],
    ['iprec_at_recall.0.5', 'IPrec@0.5'],
    ['11pt_avg', 'IPrec'],
    ['IPrec(rounding=nearest,rel=2)@0.50', "IPrec(rounding='nearest',rel=2)@0.5"],
  ])('%s is %s', (text, name) => {
    expect(parseMeasure(text).name).toBe(name);
  });

  test.each(['IPrec@-0.1', 'IPrec@a', 'IPrec@1e-1', 'P@0.1', 'nDCG@2.5', 'IPrec(rounding=down)@0.1'])(
    '%s is wrong',
    (text) => {
      expect(() => parseMeasure(text)).toThrow(/Write/);
    },
  );
});

test('nothing retrieved, nothing relevant: 0', () => {
  for (const notation of ['', '/ 1', '0 - (0 0)', '/ 0']) {
    for (const name of ['IPrec@0.0', 'IPrec@1.0', 'IPrec']) {
      expect(parseMeasure(name).evaluate(listFrom(notation))).toEqual({ expected: 0, min: 0, max: 0 });
    }
  }
});
