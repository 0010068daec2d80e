import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rbo, type TiedRanking } from '../../../results/stats/rank/rbo.js';
import { comparisons, fixture } from '../comparisons.js';

type Values = Readonly<Record<'ext' | 'min' | 'max' | 'trunc', number>>;
type Case = { readonly x: TiedRanking; readonly y: TiedRanking; readonly p: number } & Readonly<
  Record<'w' | 'a' | 'b', Values>
>;

const rules = ['w', 'a', 'b'] as const;

test('the 60 pairs of the fixtures: 720 values', () => {
  const { near, wrong, counts } = comparisons();
  fixture<{ readonly rbo: readonly Case[] }>('rankcorr/rankcorr.json').rbo.forEach((pair, k) => {
    for (const ties of rules) {
      const ours = rbo(pair.x, pair.y, { persistence: pair.p, ties });
      near(ours?.ext, pair[ties].ext, `${k} ${ties} ext`);
      near(ours?.min, pair[ties].min, `${k} ${ties} min`);
      near(ours?.max, pair[ties].max, `${k} ${ties} max`);
      near(ours?.truncated, pair[ties].trunc, `${k} ${ties} truncated`);
    }
  });
  expect(wrong).toEqual([]);
  expect(counts.compared).toBe(720);
});

/** Items in order, each told whether it joins the group of the one before. */
function grouped(ids: readonly string[], joins: readonly boolean[]): string[][] {
  const groups: string[][] = [];
  ids.forEach((id, i) => {
    const last = groups.at(-1);
    if (last !== undefined && joins[i]) last.push(id);
    else groups.push([id]);
  });
  return groups;
}

const ranking = fc
  .tuple(
    fc.shuffledSubarray(Array.from('abcdefghij'), { minLength: 1 }),
    fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
  )
  .map(([ids, joins]) => grouped(ids, joins));

/** All orders of the ties. */
function orders(groups: TiedRanking): string[][] {
  const permuted = (items: readonly string[]): string[][] =>
    items.length === 0
      ? [[]]
      : items.flatMap((item, i) => permuted(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]));
  return groups.reduce<string[][]>(
    (heads, group) => heads.flatMap((head) => permuted(group).map((tail) => [...head, ...tail])),
    [[]],
  );
}

test('what a sees is the mean over all orders of the ties', () => {
  const small = ranking.filter((groups) => groups.every(({ length }) => length <= 3) && groups.flat().length <= 6);
  fc.assert(
    fc.property(small, small, (x, y) => {
      const depth = Math.min(x.flat().length, y.flat().length);
      const [left, right] = [orders(x), orders(y)];
      let sum = 0;
      for (const one of left) {
        for (const other of right) {
          for (let d = 1; d <= depth; d++) {
            sum += (one.slice(0, d).filter((id) => other.slice(0, d).includes(id)).length / d) * 0.8 ** d;
          }
        }
      }
      const truncated = rbo(x, y, { persistence: 0.8, ties: 'a' })?.truncated;
      expect(truncated).toBeCloseTo((0.25 * sum) / (left.length * right.length), 12);
    }),
    { numRuns: 40 },
  );
});

test('min ≤ ext ≤ max within [0, 1]; symmetric; without ties all rules agree; w and b agree fully with themselves', () => {
  fc.assert(
    fc.property(ranking, ranking, fc.double({ min: 0.05, max: 0.98, noNaN: true }), (x, y, persistence) => {
      for (const ties of rules) {
        const value = rbo(x, y, { persistence, ties });
        if (value === null) throw new Error('neither ranking is empty');
        expect(
          value.min >= 0 && value.min <= value.ext + 1e-12 && value.ext <= value.max + 1e-12 && value.max <= 1,
        ).toBe(true);
        const flat = rbo(
          x.flat().map((id) => [id]),
          y.flat().map((id) => [id]),
          { persistence, ties },
        );
        expect(flat?.ext).toBeCloseTo(
          rbo(
            x.flat().map((id) => [id]),
            y.flat().map((id) => [id]),
            { persistence, ties: 'w' },
          )?.ext ?? -1,
          12,
        );
        if (x.flat().length === y.flat().length)
          expect(rbo(y, x, { persistence, ties })?.ext).toBeCloseTo(value.ext, 12);
        if (ties !== 'a') expect(rbo(x, x, { persistence, ties })?.ext).toBeCloseTo(1, 12);
      }
    }),
  );
});

test('rankings apart, empty ones, empty groups, long ones, and ids as keys', () => {
  const options = { persistence: 0.9, ties: 'w' } as const;
  expect(rbo([['a'], ['b']], [['c'], ['d']], options)).toMatchObject({ ext: 0, truncated: 0 });
  expect(rbo([], [['a']], options)).toBeNull();
  expect(rbo([[]], [[], []], options)).toBeNull();
  expect(rbo([['a'], [], ['b']], [['a'], ['b']], options)).toEqual(rbo([['a'], ['b']], [['a'], ['b']], options));
  const long = Array.from({ length: 20_000 }, (_, i) => [`d${i}`]);
  expect(rbo(long, [long.flat()], { persistence: 0.999, ties: 'a' })?.ext).toBeGreaterThan(0);
  expect(rbo(long, long, options)?.ext).toBeCloseTo(1, 12);
  expect(rbo([['__proto__'], ['constructor']], [['__proto__'], ['constructor']], options)?.ext).toBeCloseTo(1, 12);
});

test('an item that is there twice and a persistence outside (0, 1) are refused', () => {
  const twice = [['a'], ['b', 'a']];
  expect(() => rbo(twice, [['a']], { persistence: 0.9, ties: 'a' })).toThrow(/holds an item twice: a/);
  for (const persistence of [0, 1, Number.NaN]) {
    expect(() => rbo([['a']], [['a']], { persistence, ties: 'a' })).toThrow(
      expect.objectContaining({ code: 'refused' }),
    );
  }
});
