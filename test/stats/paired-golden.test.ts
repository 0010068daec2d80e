import { expect, test } from 'vitest';
import { bootstrapMeans, percentileInterval } from '../../results/stats/bootstrap.js';
import { pairedDeltas, summarizeDeltas } from '../../results/stats/deltas.js';
import { cohenDz } from '../../results/stats/effect.js';
import { bcaInterval } from '../../results/stats/intervals.js';
import { moments } from '../../results/stats/moments.js';
import { pairedT } from '../../results/stats/paired-t.js';
import { countSignFlips, sampledSignFlip, signFlip } from '../../results/stats/sign-flip.js';
import { signTest } from '../../results/stats/special/binomial.js';
import { comparisons, fixture } from './comparisons.js';

interface PairedCase {
  readonly n: number;
  readonly kind: string;
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly diff: readonly number[];
  readonly mean: number;
  readonly median: number;
  readonly sd: number;
  readonly ttest?: Readonly<Record<'t' | 'df' | 'p' | 'ciLow' | 'ciHigh' | 'cohenDz', number>>;
  readonly winsTiesLosses: readonly [number, number, number];
  readonly signTestP: number;
  readonly permutationExact?: { readonly count: number; readonly total: number; readonly p: number };
  readonly permutationMC: {
    readonly B: number;
    readonly seed: number;
    readonly count: number;
    readonly pPlus1: number;
  };
  readonly bootstrap: {
    readonly B: number;
    readonly seed: number;
    readonly firstMeans: readonly number[];
    readonly percentile: readonly [number, number];
    readonly se: number;
    readonly bca: Readonly<Record<'z0' | 'acceleration' | 'alpha1' | 'alpha2' | 'low' | 'high', number>> | null;
  };
  readonly bootstrapExact?: { readonly percentile: readonly [number, number]; readonly se: number };
}

const { paired } = fixture<{ readonly paired: readonly PairedCase[] }>('stats/stats.json');
const deltasOf = (each: PairedCase): Float64Array => Float64Array.from(each.diff);
const nameOf = ({ kind, n }: PairedCase): string => `${kind} ${n}`;

test('deltas, t, sign test and counts of the 13 paired samples: 208 values', () => {
  const { near, special, exactly, wrong, counts } = comparisons();
  for (const each of paired) {
    const at = nameOf(each);
    const deltas = deltasOf(each);
    const summary = summarizeDeltas(deltas);
    const { sd, ...t } = pairedT(deltas);
    near(summary.mean, each.mean, `${at} mean`);
    near(summary.median, each.median, `${at} median`);
    near(sd, each.sd, `${at} sd`);
    exactly(summary.n, each.n, `${at} n`);
    [summary.improved, summary.tied, summary.regressed].forEach((count, i) => {
      exactly(count, each.winsTiesLosses[i], `${at} count ${i}`);
    });
    special(signTest(summary.improved, summary.regressed), each.signTestP, `${at} sign test`);
    near(pairedDeltas(Float64Array.from(each.a), Float64Array.from(each.b))[0], each.diff[0], `${at} delta`);
    exactly(t.df, each.n - 1, `${at} df`);
    near(t.t, each.ttest?.t ?? null, `${at} t`);
    near(t.low, each.ttest?.ciLow ?? null, `${at} low`);
    near(t.high, each.ttest?.ciHigh ?? null, `${at} high`);
    near(cohenDz(deltas), each.ttest?.cohenDz ?? null, `${at} dz`);
    if (each.ttest === undefined) exactly(t.p, null, `${at} p`);
    else special(t.p, each.ttest.p, `${at} p`);
    exactly(signFlip(deltas, { resamples: 10, seed: 1 }).exact, each.n <= 20, `${at} exact`);
  }
  expect(wrong).toEqual([]);
  expect(counts.compared).toBe(208);
});

test('sign flips of the 13 samples, counted and drawn: 47 values', () => {
  const { exactly, wrong, counts } = comparisons();
  for (const each of paired) {
    const { B, seed, count, pPlus1 } = each.permutationMC;
    const drawn = sampledSignFlip(deltasOf(each), { resamples: B, seed });
    exactly(drawn.p, pPlus1, `${nameOf(each)} drawn`);
    exactly(Math.round(drawn.p * (B + 1)) - 1, count, `${nameOf(each)} count`);
    if (each.permutationExact === undefined) continue;
    const { count: exact, total } = countSignFlips(deltasOf(each));
    exactly(exact, each.permutationExact.count, `${nameOf(each)} patterns`);
    exactly(total, each.permutationExact.total, `${nameOf(each)} all patterns`);
    exactly(signFlip(deltasOf(each), { resamples: 1, seed: 0 }).p, each.permutationExact.p, `${nameOf(each)} exact p`);
  }
  expect(wrong).toEqual([]);
  expect(counts.compared).toBe(47);
});

test('bootstrap means digit for digit, percentile and BCa intervals of the 13 samples: 177 values', () => {
  const { near, special, exactly, wrong, counts } = comparisons();
  for (const each of paired) {
    const at = nameOf(each);
    const { B, seed, firstMeans, percentile, se, bca } = each.bootstrap;
    const [means] = bootstrapMeans([deltasOf(each)], { resamples: B, seed });
    firstMeans.forEach((mean, i) => {
      exactly(means[i], mean, `${at} mean ${i}`);
    });
    const interval = percentileInterval(means);
    near(interval.low, percentile[0], `${at} low`);
    near(interval.high, percentile[1], `${at} high`);
    near(moments(means).sd, se, `${at} se`);
    const ours = bcaInterval(deltasOf(each), means);
    if (bca === null || ours === null) {
      exactly(ours, bca, `${at} bca`);
      continue;
    }
    special(ours.bias, bca.z0, `${at} z0`);
    near(ours.acceleration, bca.acceleration, `${at} acceleration`);
    special(ours.lowLevel, bca.alpha1, `${at} level 1`);
    special(ours.highLevel, bca.alpha2, `${at} level 2`);
    near(ours.low, bca.low, `${at} bca low`);
    near(ours.high, bca.high, `${at} bca high`);
  }
  expect(wrong).toEqual([]);
  expect(counts.compared).toBe(177);
});

test('the whole bootstrap distribution of the smallest samples: 6 values', () => {
  const { near, wrong, counts } = comparisons();
  for (const each of paired) {
    if (each.bootstrapExact === undefined) continue;
    const all = Float64Array.from(meansOfAllResamples(each.diff));
    const { low, high } = percentileInterval(all);
    near(low, each.bootstrapExact.percentile[0], 'low');
    near(high, each.bootstrapExact.percentile[1], 'high');
    near((moments(all).sd ?? 0) * Math.sqrt((all.length - 1) / all.length), each.bootstrapExact.se, 'se');
  }
  expect(wrong).toEqual([]);
  expect(counts.compared).toBe(6);
});

/** Means of all nⁿ draws of n out of n. */
function meansOfAllResamples(values: readonly number[]): number[] {
  const sums = values.reduce<readonly number[]>((sums) => sums.flatMap((sum) => values.map((v) => sum + v)), [0]);
  return sums.map((sum) => sum / values.length);
}
