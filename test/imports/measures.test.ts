import { expect, test } from 'vitest';
import { type Entry, gather } from '../../results/imports/gather.js';
import { hakariCounterpart } from '../../results/imports/hakari-names.js';
import { ranxCounterpart } from '../../results/imports/ranx.js';

const gathered = (entries: Entry[], renamed: [string, string][] = []) =>
  gather(entries, { where: 'f.json', counterpart: (name) => name, renamed: new Map(renamed), n: 3 });

test('canonical names, their values, and the names of what is left out', () => {
  const { measures, notes } = gathered([
    ['ndcg_cut_10', 0.1 + 0.2],
    ['MAP@100', 0],
    ['P@5', null],
    ['nauc_map_at_1_max', 0.5],
    ['num_ret', 1000],
    ['gm_map', 0.1],
    ['recall_5', '0.5'],
    ['<b>\u001b[31m', 1],
  ]);
  expect([...measures]).toEqual([
    ['nDCG@10', { value: 0.1 + 0.2, n: 3 }],
    ['AP@100', { value: 0, n: 3 }],
  ]);
  expect(notes).toEqual([
    'left out, no counterpart here: nauc_map_at_1_max, num_ret, gm_map, recall_5, <b>\\x1b[31m',
    'left out, no number in the file: P@5',
  ]);
});

test('more than five names are counted', () => {
  const { notes } = gathered(Array.from({ length: 7 }, (_, i): Entry => [`x${i}`, 1]));
  expect(notes).toEqual(['left out, no counterpart here: x0, x1, x2, x3, x4 and 2 more']);
});

test('the edges of a range are in it, an ulp above counts as rounding, and more is refused by name', () => {
  expect(gathered([['RR', 1 + 2 ** -52]]).measures.get('RR')?.value).toBe(1 + 2 ** -52);
  expect(
    gathered([
      ['R@5', 0],
      ['P@1', 1],
    ]).measures.size,
  ).toBe(2);
  expect(gathered([['DCG@10', 41.2]]).measures.size).toBe(1);
  expect(() => gathered([['ndcg_cut_10', 41.2]])).toThrow(
    'A value of nDCG@10 lies outside its range: f.json: `ndcg_cut_10` is 41.2.',
  );
  expect(() => gathered([['DCG@10', -0.1]])).toThrow('outside its range');
});

test.each(['nDCG@10', 'DCG@10'])('%s may be below 0 by rounding, kept as it is, and not by more', (name) => {
  for (const value of [-1e-12, -1e-9]) expect(gathered([[name, value]]).measures.get(name)?.value).toBe(value);
  for (const value of [-1.1e-9, -1e-6]) expect(() => gathered([[name, value]])).toThrow('outside its range');
});

test('nDCG@10 may be above 1 by rounding, and not by more', () => {
  expect(gathered([['nDCG@10', 1 + 1e-10]]).measures.size).toBe(1);
  expect(() => gathered([['nDCG@10', 1 + 2e-9]])).toThrow('outside its range');
});

test('one measure under two names must have one value', () => {
  expect(
    gathered([
      ['RR@10', 0.5],
      ['mrr@10', 0.5],
    ]).measures.size,
  ).toBe(1);
  expect(() =>
    gathered([
      ['RR@10', 0.5],
      ['mrr@10', 0.4],
    ]),
  ).toThrow('There are two values of RR@10');
});

test('the caller says what a name is', () => {
  expect([...gathered([['main', 0.5]], [['main', 'nDCG@10']]).measures.keys()]).toEqual(['nDCG@10']);
});

test.each([
  ['ndcg@10', 'nDCG@10'],
  ['ndcg_burges@10', "nDCG(dcg='exp-log2')@10"],
  ['map', 'AP'],
  ['mrr@100', 'RR@100'],
  ['hit_rate@5', 'Success@5'],
  ['precision@5-l2', 'P(rel=2)@5'],
  ['r-precision', 'Rprec'],
  ['r_precision-l3', 'Rprec(rel=3)'],
  ['f1@10', 'F1@10'],
  ['rbp.95', 'RBP(p=0.95)'],
  ['rbp.8-l2', 'RBP(p=0.8,rel=2)'],
  ['hits@10', null],
  ['ndcg@10-l2', null],
  ['map.5', null],
  ['NDCG@10', null],
])("ranx's %s is %s", (theirs, ours) => {
  expect(ranxCounterpart(theirs)).toBe(ours);
});

test.each([
  ['ndcg@10', 'nDCG@10'],
  ['map@100', "AP(norm='min')@100"],
  ['acc@1', 'Success@1'],
  ['recall@100', 'R@100'],
  ['latency', null],
  ['__proto__', null],
])("HAKARI-Bench's %s is %s", (theirs, ours) => {
  expect(hakariCounterpart(theirs)).toBe(ours);
});
