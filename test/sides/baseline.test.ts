import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baselineOf, baselineSide, baselineText, parseBaseline } from '../../results/baseline.js';
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
  expect(different.map((line) => line.trim().slice(0, 8))).toEqual(['"digest"', '"RR": [2']);
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
      drawn.forEach((value, i) => expect(Math.abs(value - values[i])).toBeLessThanOrEqual(0.5e-4 + 1e-12));
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
        copy.systems[0].tasks[0].values.RR[0] = 1;
      }),
      'its digest differs',
    ],
    [
      'a changed query',
      changed((copy) => {
        copy.tasks[0].queries[0] = 'x';
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
      'a value that is not whole',
      changed((copy) => {
        copy.systems[0].tasks[0].values.RR[0] = 0.5;
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
  const queries = [{ id: '__proto__', text: null, slices: [] }];
  const baseline = baselineOf(new Map([['__proto__', side([task('__proto__', [0.5], { queries })])]]));
  const again = parseBaseline(JSON.parse(baselineText(baseline)), 'b.json');
  const [stored] = baselineSide(again, '__proto__', 'b.json').tasks;
  expect(stored.queries[0].id).toBe('__proto__');
});
