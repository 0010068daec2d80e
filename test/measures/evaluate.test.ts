import { expect, test } from 'vitest';
import { evaluate } from '../../results/evaluate.js';

const qrels = { q1: { a: 2, b: 0 }, q2: { c: 1 }, q3: { d: 1 } };
const run = { q1: { b: 0.9, a: 0.9, x: 0.1 }, q2: { x: 2, c: 1 } };

test('a run in memory is scored as a run file is: over ties, with all topics of the qrels', () => {
  const { mean, range, perQuery, missing } = evaluate(qrels, run, ['RR@10', 'ndcg_cut_10', 'NumRet']);
  expect(mean['RR@10']).toBeCloseTo((3 / 4 + 1 / 2) / 3, 12);
  expect(range['RR@10']?.min).toBeCloseTo((1 / 2 + 1 / 2) / 3, 12);
  expect(range['RR@10']?.max).toBeCloseTo((1 + 1 / 2) / 3, 12);
  expect(mean.NumRet).toBe(5);
  expect(perQuery.q1['nDCG@10']).toBeCloseTo((1 + 1 / Math.log2(3)) / 2, 12);
  expect(perQuery.q3).toEqual({ 'RR@10': 0, 'nDCG@10': 0, NumRet: 0 });
  expect(missing).toEqual(['q3']);
});

test('options are those of scoring', () => {
  const options = { ties: 'trec', topics: 'retrieved' } as const;
  const { mean } = evaluate(qrels, run, ['RR@10'], options);
  // By trec_eval's order b stands before a.
  expect(mean['RR@10']).toBeCloseTo((1 / 2 + 1 / 2) / 2, 12);
  expect(evaluate({}, run, ['RR@10']).mean).toEqual({ 'RR@10': null });
});

test('ids are any text, and numbers are checked', () => {
  const odd = Object.fromEntries([['__proto__', Object.fromEntries([['constructor', 1]])]]);
  expect(evaluate(odd, odd, ['P@1']).perQuery).toEqual(Object.fromEntries([['__proto__', { 'P@1': 1 }]]));
  expect(() => evaluate({ q: { a: 0.5 } }, run, ['P@1'])).toThrow('A grade is a whole number');
  expect(() => evaluate(qrels, { q1: { a: Number.NaN } }, ['P@1'])).toThrow(/NaN/);
  expect(() => evaluate(qrels, run, ['nDGC@10'])).toThrow(/nDCG@10/);
});
