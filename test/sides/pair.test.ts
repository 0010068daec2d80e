import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairSides } from '../../results/pair.js';
import { column, side, task } from './sides.js';

const values = (paired: ReturnType<typeof pairSides>, of: 'base' | 'candidate') => [
  ...(paired[of].get('RR')?.expected ?? []),
];

describe('two sides', () => {
  test('stand query beside query, tasks in the order of the base', () => {
    const base = side([task('s/b', [1, 0.5]), task('s/a', [0])]);
    const candidate = side([task('s/a', [0.25]), task('s/b', [0.75, 1])]);
    const paired = pairSides(base, candidate);
    expect(values(paired, 'base')).toEqual([1, 0.5, 0]);
    expect(values(paired, 'candidate')).toEqual([0.75, 1, 0.25]);
    expect(paired.queries.map(({ task: of, id }) => `${of} ${id}`)).toEqual(['s/b q0', 's/b q1', 's/a q0']);
    expect(paired).toMatchObject({ unit: 'query', missing: [] });
  });

  test('are matched by the ids of the queries, whatever their order', () => {
    const turned = task('s/a', [0.1, 0.9], {
      queries: [
        { id: 'q1', text: 'one', slices: [] },
        { id: 'q0', text: null, slices: ['late'] },
      ],
    });
    const paired = pairSides(side([task('s/a', [0, 1])]), side([turned]));
    expect(values(paired, 'candidate')).toEqual([0.9, 0.1]);
    expect(paired.queries).toEqual([
      { id: 'q0', text: null, task: 's/a', slices: ['task:s/a', 'late'] },
      { id: 'q1', text: 'one', task: 's/a', slices: ['task:s/a'] },
    ]);
  });

  test('with one digest and other queries are a damaged file', () => {
    const other = task('s/a', [0, 1], { queries: [0, 2].map((i) => ({ id: `q${i}`, text: null, slices: [] })) });
    expect(() => pairSides(side([task('s/a', [0, 1])]), side([other]))).toThrow('have other queries in it: s/a');
    expect(() => pairSides(side([task('s/a', [0, 1])]), side([task('s/a', [0])]))).toThrow('other queries');
  });

  test('say which tasks of the base the candidate lacks, and why; more tasks than the base has are not looked at', () => {
    const base = side([task('s/a', [1]), task('s/b', [1]), task('s/c', [1])]);
    const candidate = side([task('s/b', [1], { digest: 'other' }), task('s/c', [0]), task('s/d', [0])], {
      label: 'out',
    });
    const paired = pairSides(base, candidate);
    expect(paired.missing).toEqual([
      { task: 's/a', reason: 'out does not have it', slices: ['task:s/a'] },
      { task: 's/b', reason: 'out has another build of it', slices: ['task:s/b'] },
    ]);
    expect(paired.queries.map(({ task: of }) => of)).toEqual(['s/c']);
  });

  test('with nothing in common have no queries and no measures', () => {
    expect(pairSides(side([]), side([task('s/a', [1])]))).toMatchObject({ queries: [], base: new Map() });
  });

  test('keep the slices that are wanted', () => {
    const sliced = task('s/a', [1], { slices: ['language:ja', 'suite:s'] });
    const paired = pairSides(side([sliced]), side([sliced]), (slice) => slice.startsWith('language:'));
    expect(paired.queries[0].slices).toEqual(['language:ja']);
  });

  test('lose a measure that some task of a side lacks, and a cost likewise', () => {
    const bare = task('s/b', [1], { values: new Map(), costs: new Map([['indexBytes', 4]]) });
    const both = side([task('s/a', [1]), task('s/b', [1])]);
    const paired = pairSides(side([task('s/a', [1]), bare]), both);
    expect(paired.base.has('RR')).toBe(false);
    expect(paired.candidate.has('RR')).toBe(true);
    expect([...paired.costs.base]).toEqual([]);
    expect([...paired.costs.candidate]).toEqual([['bytesPerDoc', 8]]);
  });
});

test('a side of means makes means of the other one', () => {
  const queries = [{ id: 's/a', text: null, slices: [] }];
  const means = side([task('s/a', [0.5], { queries })], { unit: 'task' });
  const single = side([task('s/a', [1, 0.5, 0], { values: new Map([['RR', column([1, 0.5, 0], 0.25)]]) })]);
  for (const [base, candidate] of [
    [means, single],
    [single, means],
  ]) {
    const paired = pairSides(base, candidate);
    expect(paired.unit).toBe('task');
    expect(paired.queries).toEqual([{ id: 's/a', text: null, task: 's/a', slices: ['task:s/a'] }]);
    expect([values(paired, 'base'), values(paired, 'candidate')]).toEqual([[0.5], [0.5]]);
  }
  expect(pairSides(single, means).base.get('RR')).toEqual(column([0.5], 0.25));
});

test('law: a rounded side rounds the other one alike, so that equal values are tied', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }),
      fc.nat(6),
      (drawn, decimals) => {
        const exact = side([task('s/a', drawn)]);
        const stored = drawn.map((value) => Math.round(value * 10 ** decimals) / 10 ** decimals);
        const paired = pairSides(side([task('s/a', stored)], { decimals }), exact);
        expect(values(paired, 'candidate')).toEqual(values(paired, 'base'));
        expect(values(paired, 'base')).toEqual(stored);
      },
    ),
  );
});

test('a candidate with one query more than the base is a damaged file', () => {
  const base = side([task('s/a', [0, 1])]);
  const more = side([task('s/a', [0, 1, 0.5])]);
  expect(() => pairSides(base, more)).toThrow('have other queries in it: s/a');
  expect(() => pairSides(more, base)).toThrow('have other queries in it: s/a');
});

describe('two rounded sides', () => {
  const coarse = side([task('s/a', [0.12])], { decimals: 2 });
  const fine = side([task('s/a', [0.1234])], { decimals: 4 });

  test('stand at the decimals of the coarser one', () => {
    for (const paired of [pairSides(coarse, fine), pairSides(fine, coarse)]) {
      expect([values(paired, 'base'), values(paired, 'candidate')]).toEqual([[0.12], [0.12]]);
    }
  });

  test('of one kind keep theirs', () => {
    expect(values(pairSides(fine, fine), 'candidate')).toEqual([0.1234]);
  });
});

test('costs beside a rounded side are shortened as it stores them, so that equal costs are tied', () => {
  const costing = (cost: number, decimals: number | null) =>
    side([task('s/a', [1], { costs: new Map([['bytesPerDoc', cost]]) })], { decimals });
  const stored = costing(1.234568, 4);
  const exact = costing(1.23456789, null);
  for (const { costs } of [pairSides(stored, exact), pairSides(exact, stored)]) {
    expect([costs.base.get('bytesPerDoc'), costs.candidate.get('bytesPerDoc')]).toEqual([1.234568, 1.234568]);
  }
  expect(pairSides(exact, exact).costs.base.get('bytesPerDoc')).toBe(1.23456789);
});
