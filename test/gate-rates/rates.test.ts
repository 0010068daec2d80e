import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { mulberry32 } from '../../core/random.js';
import { judge } from '../../results/gate/judge.js';
import { parsePolicy } from '../../results/gate/policy.js';
import type { Verdict } from '../../results/gate/types.js';
import type { Paired } from '../../results/sides.js';
import type { TieColumns } from '../../results/types.js';
import { wholeAndCut } from './cut-model.js';

const seeds = 200;

/**
 * The most false alarms of a gate that holds its rate, but once in 10,000 times: the upper quantile of the binomial
 * distribution over the seeds.
 */
function mostAlarms(rate: number): number {
  let [cumulated, alarms] = [0, -1];
  for (let mass = (1 - rate) ** seeds; cumulated < 0.9999; alarms++) {
    cumulated += mass;
    mass *= ((seeds - alarms - 1) / (alarms + 2)) * (rate / (1 - rate));
  }
  return alarms;
}

test('the bound of the alarms is the binomial one', () => {
  // scipy.stats.binom.ppf(0.9999, 200, [0.025, 0.05, 0.5]).
  expect([0.025, 0.05, 0.5].map(mostAlarms)).toEqual([15, 23, 126]);
});

/** The same number of queries drawn again with replacement, as another sample of the same traffic. */
function drawn(paired: Paired, seed: number): Paired {
  const random = mulberry32(seed);
  const rows = paired.queries.map(() => Math.floor(random() * paired.queries.length));
  return withRows(paired, rows, () => false);
}

/** Each query's values change sides by a coin: two models of which neither is better, and which differ as much. */
function exchanged(paired: Paired, seed: number): Paired {
  const random = mulberry32(seed);
  const coins = paired.queries.map(() => random() < 0.5);
  return withRows(paired, [...paired.queries.keys()], (row) => coins[row]);
}

function withRows(paired: Paired, rows: readonly number[], swaps: (row: number) => boolean): Paired {
  const side = (straight: 'base' | 'candidate', turned: 'base' | 'candidate') =>
    new Map([...paired[straight]].map(([name]) => [name, columnsOf(name, straight, turned)]));
  const columnsOf = (name: string, straight: 'base' | 'candidate', turned: 'base' | 'candidate'): TieColumns => {
    const pick = (row: number) => paired[swaps(row) ? turned : straight].get(name)?.expected[row] ?? Number.NaN;
    const expected = Float64Array.from(rows, pick);
    return { expected, min: expected, max: expected };
  };
  const queries = rows.map((row, i) => ({ ...paired.queries[row], id: `${i}` }));
  return { ...paired, queries, base: side('base', 'candidate'), candidate: side('candidate', 'base') };
}

const policyOf = (seed: number, checks: string) =>
  parsePolicy(`seed: ${seed}\nresamples: 1000\nconfidence: 0.95\nchecks: [${checks}]`, 'gate.yaml');

/** Verdicts over all seeds, counted. */
function counted(checks: string, sample: (seed: number) => Paired): Readonly<Partial<Record<Verdict, number>>> {
  const counts: Partial<Record<Verdict, number>> = {};
  for (let seed = 1; seed <= seeds; seed++) {
    const { verdict } = judge(policyOf(seed, checks), sample(seed));
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return counts;
}

const budgeted = '{measure: nDCG@10, drop: 0.01}';
const strict = '{measure: nDCG@10, drop: 0}';
const family = ['nDCG@10', 'RR@10', 'R@100', 'Success@5'].map((name) => `{measure: ${name}, drop: 0}`).join(', ');

describe.sequential('over 200 seeds, a gate of 95 %', () => {
  let pair: Paired;
  beforeAll(async () => {
    const root = mkdtempSync(join(tmpdir(), 'tenbin-test-'));
    pair = await wholeAndCut(root).finally(() => rmSync(root, { recursive: true }));
  }, 120_000);

  test('stands on two real models', () => {
    expect(pair.queries.length).toBe(400);
    expect(pair.missing).toEqual([]);
  });

  test('catches the model whose texts are cut to 16 tokens', () => {
    expect(counted(budgeted, (seed) => drawn(pair, seed)).regressed).toBeGreaterThanOrEqual(0.95 * seeds);
  });

  test('lets the same model pass every time', () => {
    const same = { ...pair, candidate: pair.base };
    expect(counted(`${strict}, ${budgeted.replace('nDCG', 'RR')}`, (seed) => drawn(same, seed))).toEqual({
      pass: seeds,
    });
  });

  test('raises no more false alarms over equal models than it says', () => {
    const { regressed = 0, improved = 0 } = counted(strict, (seed) => exchanged(pair, seed));
    expect(regressed).toBeLessThanOrEqual(mostAlarms(0.025));
    expect(improved).toBeLessThanOrEqual(mostAlarms(0.025));
    // A gate that never alarms would pass the above.
    expect(regressed + improved).toBeGreaterThan(0);
  });

  test('nor over a family of checks', () => {
    expect(counted(family, (seed) => exchanged(pair, seed)).regressed ?? 0).toBeLessThanOrEqual(mostAlarms(0.05));
  });

  test.each([4, 5, 6])('nor where only %i queries differ: over every pattern of signs', (count) => {
    const patterns = Array.from({ length: 2 ** count }, (_, pattern) => pattern);
    const verdicts = patterns.map((pattern) => judge(policyOf(17, strict), sparsePair(pair, count, pattern)).verdict);
    const share = (verdict: Verdict) => verdicts.filter((each) => each === verdict).length / verdicts.length;
    expect(share('regressed')).toBeLessThanOrEqual(0.025);
    expect(share('improved')).toBeLessThanOrEqual(0.025);
  });
});

/** The candidate is the base but for some queries, better by the bits of the pattern: a bootstrap alone is sure too soon. */
function sparsePair(paired: Paired, count: number, pattern: number): Paired {
  const candidate = new Map(
    [...paired.base].map(([name, { expected }]) => {
      const sign = (row: number) => ((pattern >> row) & 1 ? 1 : -1);
      const changed = expected.map((value, row) => (row < count ? value + sign(row) * (0.5 + row / 100) : value));
      return [name, { expected: changed, min: changed, max: changed }];
    }),
  );
  return { ...paired, candidate };
}
