import { describe, expect, test } from 'vitest';
import { judge } from '../../results/gate/judge.js';
import type { MissingTask, Paired } from '../../results/sides.js';
import { pairedBy, policyOf, queries } from './paired.js';

const half = Array<number>(40).fill(0.5);
const same = Array<number>(40).fill(0);
const sliced = { queries: queries(40, (i) => [i < 20 ? 'language:ja' : 'language:en', 'query-length:1–3 words']) };
const gone: MissingTask = { task: 'small/gone', reason: 'no run', slices: ['language:ja', 'domain:web'] };

const only = (check: string, paired: Paired) => judge(policyOf(check), paired).checks[0];
const all = '{measure: nDCG@10, drop: 0.01}';
const on = (slice: string) => `{measure: nDCG@10, drop: 0.01, slice: "${slice}"}`;

describe('a missing task', () => {
  const paired = pairedBy(half, same, { ...sliced, missing: [gone] });

  test('makes the checks missing that it may belong to, with the numbers of what is there', () => {
    expect(only(all, paired)).toMatchObject({
      verdict: 'missing',
      reason: 'a task is missing: small/gone (no run)',
      n: 40,
    });
    expect(only(all, paired)).toMatchObject({ delta: 0, low: 0, high: 0 });
    expect(only(on('language:ja'), paired)).toMatchObject({ verdict: 'missing', n: 20, delta: 0 });
    expect(only(on('query-length:1–3 words'), paired)).toMatchObject({ verdict: 'missing', n: 40 });
    expect(only(on('suite:small'), paired)).toMatchObject({ verdict: 'missing', n: 0 });
  });

  test('leaves those alone that it cannot belong to, and is warned of all the same', () => {
    const result = judge(policyOf(on('language:en')), paired);
    expect(result.checks[0]).toMatchObject({ verdict: 'pass', reason: null });
    expect(result.warnings).toEqual(['small/gone is missing: no run']);
    const other = { ...paired, queries: queries(40, () => ['task:small/here', 'mine']) };
    expect(only(on('task:small/here'), other).verdict).toBe('pass');
    expect(only(on('mine'), other).verdict).toBe('missing');
  });

  test('does not hide that what is there got surely worse', () => {
    const worse = { ...paired, ...pairedBy(half, Array(40).fill(-0.1), { ...sliced, missing: [gone] }) };
    expect(only(all, worse)).toMatchObject({ verdict: 'regressed', reason: 'a task is missing: small/gone (no run)' });
    expect(judge(policyOf(all), worse).verdict).toBe('regressed');
  });

  test('has company: three are named, and twenty warned of', () => {
    const many = Array.from({ length: 25 }, (_, i) => ({ ...gone, task: `small/t${i}` }));
    const result = judge(policyOf(all), { ...paired, missing: many });
    expect(result.checks[0].reason).toBe('25 tasks are missing: small/t0, small/t1, small/t2 and 22 more');
    expect(result.warnings).toHaveLength(21);
    expect(result.warnings.at(-1)).toBe('5 more tasks are missing');
  });

  test('may be all there was', () => {
    const nothing = pairedBy([], [], { missing: [gone] });
    const nulls = { base: null, delta: null, low: null, p: null, budget: null, tieRange: null, counts: null };
    expect(only(all, nothing)).toMatchObject({
      verdict: 'missing',
      n: 0,
      reason: 'a task is missing: small/gone (no run)',
      ...nulls,
    });
    expect(only('{cost: bytesPerDoc, rise: 0}', nothing)).toMatchObject({ verdict: 'missing', base: null });
  });
});

describe('too little', () => {
  test('a slice without queries says so, with the name that was meant', () => {
    const paired = pairedBy(half, same, sliced);
    expect(only(on('language:jp'), paired)).toMatchObject({
      ...{ verdict: 'missing', n: 0 },
      reason: 'no query is in the slice language:jp; did you mean language:ja?',
    });
    expect(only(all, pairedBy([], []))).toMatchObject({ reason: 'the sides have no queries in common' });
  });

  test('fewer queries than wanted are no verdict, however bad they look', () => {
    const check = (least: number, delta: number) =>
      only(`{measure: nDCG@10, drop: 0.01, minQueries: ${least}}`, pairedBy(half, Array(40).fill(delta)));
    expect(check(40, 0)).toMatchObject({ verdict: 'pass', reason: null });
    expect(check(41, 0)).toMatchObject({ verdict: 'missing', n: 40, reason: '40 queries, and at least 41 are wanted' });
    expect(check(41, -0.1)).toMatchObject({ verdict: 'missing', delta: expect.closeTo(-0.1, 12) });
    expect(check(40, -0.1).verdict).toBe('regressed');
    const boards = pairedBy([0.5], [0], { unit: 'task' });
    expect(only(`{measure: nDCG@10, drop: 0.01, minQueries: 2}`, boards).reason).toBe(
      '1 task, and at least 2 are wanted',
    );
  });

  test('a measure that a side lacks is missing, and the side is named', () => {
    const paired = pairedBy(half, same);
    const check = '{measure: R@100, drop: 0.01}';
    expect(only(check, paired)).toMatchObject({
      verdict: 'missing',
      reason: 'the baseline and the candidate have no R@100',
    });
    const base = new Map([...paired.base, ['R@100', paired.base.get('nDCG@10') ?? expect.fail()] as const]);
    expect(only(check, { ...paired, base }).reason).toBe('the candidate has no R@100');
    expect(only(check, { ...paired, candidate: base }).reason).toBe('the baseline has no R@100');
  });
});

describe('costs', () => {
  const costs = (base: Record<string, number>, candidate: Record<string, number>) => ({
    base: new Map(Object.entries(base)),
    candidate: new Map(Object.entries(candidate)),
  });
  const check = (text: string, base: number, candidate: number) =>
    only(
      `{cost: bytesPerDoc, ${text}}`,
      pairedBy(half, same, { costs: costs({ bytesPerDoc: base }, { bytesPerDoc: candidate }) }),
    );

  test.each([
    ['rise: 10%', 1000, 1100, 'pass'],
    ['rise: 10%', 1000, 1100.001, 'regressed'],
    ['rise: 10%', 1000, 1000, 'pass'],
    ['rise: 10%', 1000, 999, 'improved'],
    ['rise: 5', 1000, 1005, 'pass'],
    ['rise: 5', 1000, 1006, 'regressed'],
    ['rise: 0', 0.3, 0.1 + 0.2, 'pass'],
    ['rise: 50%', 0, 0, 'pass'],
    ['rise: 50%', 0, 1, 'regressed'],
    ['drop: 10%', 1000, 900, 'pass'],
    ['drop: 10%', 1000, 899, 'regressed'],
    ['drop: 10%', 1000, 1001, 'improved'],
  ] as const)('%s: %d → %d is %s', (text, base, candidate, verdict) => {
    expect(check(text, base, candidate)).toMatchObject({ verdict, base, candidate, delta: candidate - base });
  });

  test('have no queries, interval or p', () => {
    const nulls = { measure: null, slice: null, low: null, high: null, p: null, n: null, nNeeded: null, counts: null };
    expect(check('rise: 10%', 1000, 1000)).toMatchObject({ cost: 'bytesPerDoc', budget: 100, worst: [], ...nulls });
  });

  test('are missing where one side lacks them, or a task', () => {
    const one = pairedBy(half, same, { costs: costs({ bytesPerDoc: 3 }, { other: 1 }) });
    expect(only('{cost: bytesPerDoc, rise: 10%}', one)).toMatchObject({
      ...{ verdict: 'missing', base: 3, candidate: null, delta: null },
      reason: 'the candidate lacks this cost on a task',
    });
    expect(only('{cost: other, rise: 10%}', one).reason).toBe('the baseline lacks this cost on a task');
    const both = { bytesPerDoc: 3 };
    const gap = pairedBy(half, same, { missing: [gone], costs: costs(both, both) });
    expect(only('{cost: bytesPerDoc, rise: 10%}', gap)).toMatchObject({ verdict: 'missing', delta: 0 });
    const worse = { ...gap, costs: costs(both, { bytesPerDoc: 4 }) };
    expect(only('{cost: bytesPerDoc, rise: 10%}', worse).verdict).toBe('regressed');
  });

  test('that nobody has are wrong use, and those there are are listed', () => {
    const paired = pairedBy(half, same, { costs: costs({ 'opsPerQuery.postings': 1, bytesPerDoc: 1 }, {}) });
    expect(() => only('{cost: bytesPerdocs, rise: 1}', paired)).toThrow(
      'Did you mean `bytesPerDoc`? There are bytesPerDoc, opsPerQuery.postings.',
    );
    expect(() => only('{cost: __proto__, rise: 1}', pairedBy(half, same))).toThrow(/no costs at all/);
  });

  test('that nobody has are wrong use while only some task is missing, and while there is none at all', () => {
    const both = { bytesPerDoc: 3 };
    const gap = pairedBy(half, same, { missing: [gone], costs: costs(both, both) });
    expect(() => only('{cost: bytesPerDok, rise: 10%}', gap)).toThrow('Did you mean `bytesPerDoc`?');
    expect(() => only('{cost: bytesPerDoc, rise: 10%}', pairedBy([], []))).toThrow(/no costs at all/);
  });

  test('that are no numbers are an error', () => {
    expect(() => check('rise: 10%', Number.NaN, 3)).toThrow(/finite/);
    expect(() => check('rise: 10%', 3, Number.POSITIVE_INFINITY)).toThrow(/finite/);
  });
});
