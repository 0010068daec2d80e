import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baselineOf, baselineSide, parseBaseline } from '../../results/baseline.js';
import { baselineText } from '../../results/baseline-text.js';
import { decodeValues, encodeValues } from '../../results/baseline-values.js';
import { pairSides } from '../../results/pair.js';
import { side, task } from './sides.js';

const two = new Map([
  ['b', side([task('s/b', [1, 0.5]), task('s/a', [1 / 3])])],
  ['a', side([task('s/a', [0.25])])],
]);

test('a baseline is what it was, read again from its text', () => {
  const baseline = baselineOf(two);
  const again = parseBaseline(JSON.parse(baselineText(baseline)), 'b.json');
  expect(again).toEqual(baseline);
  expect(again.systems.map(({ id, tasks }) => [id, tasks.map((each) => each.id)])).toEqual([
    ['a', ['s/a']],
    ['b', ['s/a', 's/b']],
  ]);
  const [first, second] = baselineSide(again, 'b', 'b.json').tasks;
  expect([...(first.values.get('RR')?.expected ?? [])]).toEqual([0.3333]);
  expect([...(second.values.get('RR')?.expected ?? [])]).toEqual([1, 0.5]);
  expect(second).toMatchObject({ digest: 'digest of s/b', slices: ['task:s/b'] });
  expect(baselineSide(again, 'b', 'b.json').decimals).toBe(4);
});

test('its text has a line per task and per measure of a task, so that a diff is small', () => {
  const lines = baselineText(baselineOf(two)).split('\n');
  const changed = new Map([...two, ['a', side([task('s/a', [0.75])])] as const]);
  const others = baselineText(baselineOf(changed)).split('\n');
  expect(lines.length).toBe(others.length);
  const different = lines.filter((line, i) => line !== others[i]);
  expect(different.map((line) => line.trim().slice(0, 11))).toEqual(['"digest": "', '"RR": "2500']);
});

test('law: systems and tasks in any order give the same bytes', () => {
  const tasks = ['s/a', 's/b', 't/a', 't/ä'].map((id, i) => task(id, [i / 7, i / 3]));
  const text = (order: readonly number[]) => {
    const sides = order.map((i) => [`system ${i}`, side(order.map((j) => tasks[j]))] as const);
    return baselineText(baselineOf(new Map(sides)));
  };
  const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
  fc.assert(
    fc.property(order, (shuffled) => {
      expect(text(shuffled)).toBe(text([0, 1, 2, 3]));
    }),
  );
});

test('law: no value moves by more than half a unit of the fourth decimal', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (drawn) => {
      const [stored] = baselineSide(baselineOf(new Map([['a', side([task('s/a', drawn)])]])), 'a', 'b').tasks;
      const values = stored.values.get('RR')?.expected ?? new Float64Array();
      const errors = drawn.map((value, i) => Math.abs(value - values[i]));
      expect(Math.max(0, ...errors)).toBeLessThanOrEqual(0.5e-4 + 1e-12);
    }),
  );
});

test('times are left out, other costs stand', () => {
  const costs = new Map([
    ['bytesPerDoc', 12.5],
    ['latencyMs.p50', 3],
    ['opsPerQuery.postings', 7],
  ]);
  const baseline = baselineOf(new Map([['a', side([task('s/a', [1], { costs })])]]));
  expect(baseline.systems[0].tasks[0].costs).toEqual({ bytesPerDoc: 12.5, 'opsPerQuery.postings': 7 });
});

describe('refused', () => {
  const good = JSON.parse(baselineText(baselineOf(two)));
  const changed = (change: (copy: typeof good) => void) => {
    const copy = structuredClone(good);
    change(copy);
    return copy;
  };

  test.each([
    [
      'a changed value',
      changed((copy) => {
        copy.systems[0].tasks[0].values.RR = '1: A';
      }),
      'its digest differs',
    ],
    [
      'a changed count',
      changed((copy) => {
        copy.tasks[0].queries = 2;
      }),
      'its digest differs',
    ],
    [
      'a broken field',
      changed((copy) => {
        copy.decimals = -1;
      }),
      'decimals',
    ],
    [
      'a column that is no text',
      changed((copy) => {
        copy.systems[0].tasks[0].values.RR = [2500];
      }),
      'not a baseline',
    ],
    [
      'a later schema',
      changed((copy) => {
        copy.schema = 'tenbin/baseline@2';
      }),
      'not a baseline',
    ],
    ['nothing', null, 'not a baseline'],
  ])('%s', (_, value, message) => {
    expect(() => parseBaseline(value, 'b.json')).toThrow(message);
    expect(() => parseBaseline(value, 'b.json')).toThrow('b.json');
  });

  test('a system that it does not hold', () => {
    expect(() => baselineSide(baselineOf(two), 'c', 'b.json')).toThrow('It holds `a`, `b`');
  });

  test('two builds of one task', () => {
    const mixed = new Map([...two, ['c', side([task('s/a', [1], { digest: 'other' })])] as const]);
    expect(() => baselineOf(mixed)).toThrow('same build of a task: s/a');
  });

  test('a board, which has no values of queries', () => {
    expect(() => baselineOf(new Map([['a', side([], { unit: 'task', label: 'board.json' })]]))).toThrow('board.json');
  });
});

test('names that JavaScript treats specially are names like others', () => {
  const baseline = baselineOf(new Map([['__proto__', side([task('__proto__', [0.5])])]]));
  const again = parseBaseline(JSON.parse(baselineText(baseline)), 'b.json');
  expect(baselineSide(again, '__proto__', 'b.json').tasks.map(({ id }) => id)).toEqual(['__proto__']);
});

describe('ids', () => {
  const named = (ids: readonly string[], values: readonly number[]) =>
    task('s/a', values, { queries: ids.map((id) => ({ id, text: `text of ${id}`, slices: [] })) });
  const stored = (ids: readonly string[], values: readonly number[]) =>
    baselineSide(baselineOf(new Map([['a', side([named(ids, values)])]])), 'a', 'b.json');

  test('are not stored: values stand in their code-point order, and the other side gives the names', () => {
    const candidate = side([named(['b', 'ｚ', '😀', 'a'], [0.2, 0.3, 0.4, 0.1])]);
    for (const paired of [
      pairSides(stored(['😀', 'b', 'a', 'ｚ'], [0.04, 0.02, 0.01, 0.03]), candidate),
      pairSides(candidate, stored(['😀', 'b', 'a', 'ｚ'], [0.04, 0.02, 0.01, 0.03])),
    ]) {
      expect(paired.queries.map(({ id }) => id)).toEqual(['a', 'b', 'ｚ', '😀']);
      expect(paired.queries[3].text).toBe('text of 😀');
      const sides = [paired.base, paired.candidate].map((of) => [...(of.get('RR')?.expected ?? [])]);
      expect(sides.sort()).toEqual([
        [0.01, 0.02, 0.03, 0.04],
        [0.1, 0.2, 0.3, 0.4],
      ]);
    }
  });

  test('of two baselines are places', () => {
    const paired = pairSides(stored(['b', 'a'], [0.2, 0.1]), stored(['a', 'b'], [0.1, 0.3]));
    expect(paired.queries.map(({ id }) => id)).toEqual(['#1', '#2']);
    expect([...(paired.candidate.get('RR')?.expected ?? [])]).toEqual([0.1, 0.3]);
  });

  test('that are places stay where they are, also where `#10` would come before `#2`', () => {
    const ids = Array.from({ length: 13 }, (_, i) => String.fromCodePoint(0x61 + i));
    const scores = ids.map((_, i) => (i + 1) / 20);
    const base = stored(ids, scores);
    const expected = (of: ReturnType<typeof pairSides>['base']) => [...(of.get('RR')?.expected ?? [])];
    const twice = pairSides(base, stored(ids, scores));
    expect(twice.queries.map(({ id }) => id).slice(0, 3)).toEqual(['#1', '#2', '#3']);
    expect([expected(twice.base), expected(twice.candidate)]).toEqual([scores, scores]);
    const beside = pairSides(base, side([named([...ids].reverse(), [...scores].reverse())]));
    expect([expected(beside.base), expected(beside.candidate)]).toEqual([scores, scores]);
    const again = baselineSide(baselineOf(new Map([['a', base]])), 'a', 'b.json');
    expect([...(again.tasks[0].values.get('RR')?.expected ?? [])]).toEqual(scores);
  });

  test('a number of queries that differs under one digest is a damaged file', () => {
    expect(() => pairSides(stored(['a'], [1]), side([named(['a', 'b'], [1, 1])]))).toThrow('other queries');
  });
});

describe('a column as text', () => {
  test.each([
    [[], ': '],
    [[0], '0: A'],
    [[0, 0, 10000, 6309, 6309, 6309], '0 6309 10000: A2CB3'],
    [[-5, 7], '-5 7: AB'],
  ])('%j is %s', (units, text) => {
    expect(encodeValues(units)).toBe(text);
    expect(decodeValues(text, units.length)).toEqual(units);
  });

  test('takes codes of two letters beyond 52 numbers', () => {
    const units = Array.from({ length: 53 }, (_, i) => i);
    expect(encodeValues(units.slice(1)).endsWith('yz')).toBe(true);
    expect(encodeValues(units).endsWith('AyAzBA')).toBe(true);
    expect(decodeValues(encodeValues(units), 53)).toEqual(units);
  });

  test('law: it is read back as it was', () => {
    const units = fc.array(fc.oneof(fc.constantFrom(0, 0, 0, 10000), fc.integer()), { maxLength: 300 });
    fc.assert(
      fc.property(units, (drawn) => {
        expect(decodeValues(encodeValues(drawn), drawn.length)).toEqual(drawn);
      }),
    );
  });

  test('has as many places as it may, and not one more', () => {
    expect(decodeValues('7: A5', 5)).toEqual([7, 7, 7, 7, 7]);
    expect(decodeValues('7: A5', 4)).toBeNull();
    expect(decodeValues('7: AAA', 3)).toEqual([7, 7, 7]);
    expect(decodeValues('7: AAA', 2)).toBeNull();
    expect(decodeValues(': ', 0)).toEqual([]);
  });

  test('has whole numbers that a double tells apart', () => {
    expect(decodeValues(`${2 ** 53 - 1} ${1 - 2 ** 53}: AB`, 2)).toEqual([2 ** 53 - 1, 1 - 2 ** 53]);
    expect(decodeValues('9007199254740992: A', 1)).toBeNull();
    expect(decodeValues('-9007199254740992: A', 1)).toBeNull();
  });

  test.each(['', 'A', '0 A', '0: B', '0: A1e9', '0: A99999999999', '0.5: A', '0: a!', `${'0 '.repeat(53)}0: A`])(
    '%j is none',
    (text) => expect(decodeValues(text, 100)).toBeNull(),
  );
});
