import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { measureKinds } from '../../results/measures/index.js';
import { listFrom } from '../../results/measures/notation.js';
import { parseMeasure } from '../../results/measures/parse.js';
import type { GradedList, Measure, MeasureKind, TieValue } from '../../results/types.js';

/** Every form of a kind worth a law: each value of each setting, each cut-off around the lengths of the small lists. */
function formsOf(kind: MeasureKind): string[] {
  const settings = kind.settings.flatMap((help) => {
    const [name, values = ''] = help.split('=');
    return values.split('|').map((value) => `(${name}=${value})`);
  });
  const cutoffs = kind.cutoff === 'none' ? [''] : ['@1', '@2', '@3', '@4', '@6', '@10'];
  if (kind.cutoff === 'optional') cutoffs.push('');
  return ['', ...settings].flatMap((setting) => cutoffs.map((cutoff) => `${kind.name}${setting}${cutoff}`));
}

const grade = fc.constantFrom(null, null, -1, 0, 0, 1, 1, 2, 3);

/** Lists of at most six documents in random tie groups: at most 720 orders. */
const smallList: fc.Arbitrary<GradedList> = fc
  .record({
    grades: fc.array(grade, { maxLength: 6 }),
    ends: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    missed: fc.array(fc.constantFrom(0, 1, 2), { maxLength: 3 }),
  })
  .map(({ grades, ends, missed }) => ({
    grades,
    groupEnds: grades.map((_, i) => i + 1).filter((end) => end === grades.length || ends[end - 1]),
    judged: [...grades, ...missed].filter((value) => value !== null).sort((a, b) => b - a),
    level: 1,
  }));

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

/** Every order inside the ties, as a list without ties. */
function ordersOf(list: GradedList): GradedList[] {
  let orders: GradedList['grades'][] = [[]];
  list.groupEnds.forEach((end, i) => {
    const group = permutations(list.grades.slice(i === 0 ? 0 : list.groupEnds[i - 1], end));
    orders = orders.flatMap((head) => group.map((tail) => [...head, ...tail]));
  });
  return orders.map((grades) => ({ ...list, grades, groupEnds: grades.map((_, i) => i + 1) }));
}

function enumerated(measure: Measure, list: GradedList): TieValue {
  const values = ordersOf(list).map((order) => measure.evaluate(order).expected);
  const expected = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { expected, min: Math.min(...values), max: Math.max(...values) };
}

function expectClose(actual: TieValue, wanted: TieValue, about: string): void {
  for (const key of ['expected', 'min', 'max'] as const) {
    expect(Math.abs(actual[key] - wanted[key]), `${about} ${key}: ${actual[key]}, not ${wanted[key]}`).toBeLessThan(
      1e-12,
    );
  }
}

const upper = { '[0, 1]': 1, '[0, ∞)': Number.POSITIVE_INFINITY } as const;

describe.each(measureKinds.map((kind) => ({ name: kind.name, kind })))('$name', ({ kind }) => {
  const forms = formsOf(kind).map(parseMeasure);
  const form = fc.constantFrom(...forms);

  test('says what it is, where it is from, and shows at least two examples', () => {
    expect(kind.summary.length).toBeGreaterThan(10);
    expect(kind.source.length).toBeGreaterThan(10);
    expect(kind.examples.length).toBeGreaterThanOrEqual(2);
  });

  test.each(kind.examples)('$what: $measure of $list', ({ measure, list, value }) => {
    const wanted = typeof value === 'number' ? { expected: value, min: value, max: value } : value;
    expectClose(parseMeasure(measure).evaluate(listFrom(list)), wanted, measure);
    expect(parseMeasure(measure).name).toBe(measure);
    expect(measure.startsWith(kind.name)).toBe(true);
  });

  test('is what enumerating every order inside the ties gives', () => {
    fc.assert(
      fc.property(smallList, form, (list, measure) => {
        expectClose(measure.evaluate(list), enumerated(measure, list), measure.name);
      }),
      { numRuns: 300 },
    );
  });

  test('holds min ≤ expected ≤ max inside its range, never NaN, without any tolerance', () => {
    fc.assert(
      fc.property(smallList, form, (list, measure) => {
        const { expected, min, max } = measure.evaluate(list);
        expect(0 <= min && min <= expected && expected <= max && max <= upper[kind.range]).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('gives three equal values where nothing is tied', () => {
    fc.assert(
      fc.property(smallList, form, (tied, measure) => {
        const { expected, min, max } = measure.evaluate({ ...tied, groupEnds: tied.grades.map((_, i) => i + 1) });
        expect([min, max]).toEqual([expected, expected]);
      }),
    );
  });

  test('does not see the order inside a tie group', () => {
    fc.assert(
      fc.property(smallList, form, fc.nat(), (list, measure, pick) => {
        const orders = ordersOf(list);
        const shuffled = { ...list, grades: orders[pick % orders.length].grades };
        expect(measure.evaluate(shuffled)).toEqual(measure.evaluate(list));
      }),
    );
  });

  test('is exact for a cut-off at, before and behind every border of a group', () => {
    const list = listFrom('(1 - 0) 2 (0 1) / 1');
    const cutoffs = kind.cutoff === 'none' ? [''] : [1, 2, 3, 4, 5, 6, 7, 100].map((k) => `@${k}`);
    for (const measure of cutoffs.map((cutoff) => parseMeasure(kind.name + cutoff))) {
      expectClose(measure.evaluate(list), enumerated(measure, list), measure.name);
    }
  });

  test('is 0 or a count, never NaN, for empty lists and queries without a relevant document', () => {
    for (const notation of ['', '/ 1', '/ 0', '(0 -)', '-', '-1 -2', '(0 0 0) / -1']) {
      for (const measure of forms) {
        const { expected } = measure.evaluate(listFrom(notation));
        expect(Number.isFinite(expected) && expected >= 0, `${measure.name} of \`${notation}\``).toBe(true);
      }
    }
  });

  test('its printed form is read back as itself, under each of its names', () => {
    for (const measure of forms) expect(parseMeasure(measure.name).name).toBe(measure.name);
    const cutoff = kind.cutoff === 'required' ? '@5' : '';
    for (const alias of kind.aliases) {
      for (const text of [alias, alias.toUpperCase(), alias.toLowerCase()]) {
        expect(parseMeasure(text + cutoff).name).toBe(kind.name + cutoff);
      }
    }
  });
});

test('names and aliases belong to one kind each', () => {
  const names = measureKinds.flatMap((kind) => [kind.name, ...kind.aliases]).map((name) => name.toLowerCase());
  expect(new Set(names).size).toBe(names.length);
});
