import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuse } from '../../runners/fuse.js';

const places = Int32Array.from({ length: 50 }, (_, i) => (i * 7) % 50);
const list = fc.uniqueArray(fc.nat({ max: 49 }), { maxLength: 50 });

test('RRF of ranks 1+1 and rank 1 alone, k = 100 (hakari-bench, §2.4)', () => {
  const fused = fuse([[3, 4], [3]], 100, places);
  expect([...fused.docs]).toEqual([3, 4]);
  expect(fused.scores[0]).toBeCloseTo(0.0198019802, 10);
  expect(fuse([[9]], 100, places).scores[0]).toBeCloseTo(0.00990099, 8);
});

test('equals the sum over the lists, for any lists', () => {
  fc.assert(
    fc.property(fc.array(list, { maxLength: 4 }), fc.integer({ min: 1, max: 100 }), (lists, k) => {
      const fused = fuse(lists, k, places);
      const naive = new Map<number, number>();
      for (const one of lists)
        for (const [i, doc] of one.entries()) naive.set(doc, (naive.get(doc) ?? 0) + 1 / (k + i + 1));
      expect(new Set(fused.docs)).toEqual(new Set(naive.keys()));
      for (const [i, doc] of fused.docs.entries()) expect(fused.scores[i]).toBeCloseTo(naive.get(doc) as number, 12);
    }),
  );
});

test('is in a total order: score, best rank over the lists, keyed hash', () => {
  fc.assert(
    fc.property(fc.array(list, { maxLength: 3 }), (lists) => {
      const { docs, scores } = fuse(lists, 60, places);
      const best = (doc: number) => Math.min(...lists.map((one) => one.indexOf(doc)).filter((rank) => rank >= 0));
      for (let i = 1; i < docs.length; i++) {
        const [a, b] = [docs[i - 1] as number, docs[i] as number];
        const [x, y] = [scores[i - 1] as number, scores[i] as number];
        const key = [y - x, best(a) - best(b), (places[a] as number) - (places[b] as number)].find(
          (d) => d !== 0,
        ) as number;
        expect(key).toBeLessThan(0);
      }
    }),
  );
});

test('does not depend on the order of the lists', () => {
  fc.assert(
    fc.property(fc.array(list, { maxLength: 4 }), (lists) => {
      expect(fuse([...lists].reverse(), 60, places)).toEqual(fuse(lists, 60, places));
    }),
  );
});

test('of equal scores the best single rank comes first: 1/3 + 1/6 = 1/2 with k = 1', () => {
  const [x, y] = [7, 21];
  const one = [x, y, 1, 2, 3];
  const two = [4, 5, 6, 8, y];
  const { docs, scores } = fuse([one, two], 1, places);
  expect(scores[0]).toBe(scores[1]);
  expect([docs[0], docs[1]].includes(x)).toBe(true);
  // By place alone y (47) would come before x (49): the rank decides.
  expect([places[x], places[y]]).toEqual([49, 47]);
  expect([...docs.slice(0, 3)].indexOf(x)).toBeLessThan([...docs].indexOf(y));
});
