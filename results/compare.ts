import { adjust, type Correction } from './stats/corrections.js';
import { pairedDeltas, summarizeDeltas } from './stats/deltas.js';
import { cohenDz, minimumDetectableEffect } from './stats/effect.js';
import { meanInterval } from './stats/mean-interval.js';
import { moments } from './stats/moments.js';
import { pairedT } from './stats/paired-t.js';
import { signFlip } from './stats/sign-flip.js';
import { weightedInterval, weightedMean } from './stats/weighted-mean.js';
import type { TieColumns } from './types.js';

/** A query that both sides answer. */
export interface ComparedQuery {
  readonly id: string;
  readonly text: string | null;
  /** `suite/task`, where there are several. */
  readonly task: string | null;
  /** Names of the slices that it belongs to, besides `all`. */
  readonly slices: readonly string[];
}

/** Values of one side, by measure: columns in the order of the queries. */
export type ComparedValues = ReadonlyMap<string, TieColumns>;

export interface CompareRequest {
  readonly queries: readonly ComparedQuery[];
  readonly base: ComparedValues;
  readonly candidate: ComparedValues;
  readonly options: CompareOptions;
  /**
   * How often each query is asked, by its id. With it every comparison is made twice, each query counting the same and
   * each as often as it is asked; queries without a weight are not asked.
   */
  readonly weights?: ReadonlyMap<string, number>;
}

export interface CompareOptions {
  readonly confidence: number;
  /** Of the p-values over the measures and slices of the call. */
  readonly correction: Correction;
  readonly resamples: number;
  readonly seed: number;
  /** Regressed queries that are named. */
  readonly worst: number;
}

/** The power of the least effect that is stated. */
const power = 0.8;

/** formats.md §8. A type and not an interface, so that it is assignable to `Json`. */
export type Comparison = {
  readonly measure: string;
  readonly slice: string;
  /** `query`: each counts the same; `traffic`: each as often as it is asked. */
  readonly weighting: 'query' | 'traffic';
  readonly n: number;
  readonly base: number;
  readonly candidate: number;
  /** candidate − base, a mean over the queries. */
  readonly delta: number;
  readonly median: number;
  /** Of the deltas, type 7. */
  readonly percentiles: { readonly p5: number; readonly p25: number; readonly p75: number; readonly p95: number };
  readonly low: number;
  readonly high: number;
  /** `percentile` where BCa is undefined; `none` where all deltas are equal and there is nothing to resample. */
  readonly method: 'bca' | 'percentile' | 'none';
  readonly p: { readonly permutation: number | null; readonly t: number | null };
  readonly pAdjusted: number | null;
  readonly dz: number | null;
  /** The least true delta that these queries find with a power of 0.8. */
  readonly mde: number | null;
  readonly improved: number;
  readonly tied: number;
  readonly regressed: number;
  /** How far ties leave the delta open: the ranges of both sides together. */
  readonly tieRange: number;
  readonly worst: readonly WorstQuery[];
};

export type WorstQuery = {
  readonly query: string;
  readonly delta: number;
  readonly text: string | null;
  readonly task: string | null;
};

/** One comparison for each measure, slice and weighting: all queries first, then the slices by name. */
export function compareQueries(request: CompareRequest): readonly Comparison[] {
  const { queries, base, candidate, options, weights } = request;
  const slices = slicesOf(queries);
  const asked = weights === undefined ? null : Float64Array.from(queries, ({ id }) => weights.get(id) ?? 0);
  const found = [...base].flatMap(([measure, ofBase]) => {
    const ofCandidate = candidate.get(measure);
    if (ofCandidate === undefined) return [];
    return [...slices].flatMap(([slice, rows]) => {
      const side = { queries, rows, base: ofBase, candidate: ofCandidate };
      const named = { measure, slice, pAdjusted: null };
      const plain = { ...named, weighting: 'query' as const, ...compareSlice(side, null, options) };
      // A query that nobody asks is not there.
      const askedRows = asked === null ? [] : rows.filter((row) => asked[row] > 0);
      if (asked === null || askedRows.length === 0) return [plain];
      const weighted = compareSlice({ ...side, rows: askedRows }, asked, options);
      return [plain, { ...named, weighting: 'traffic' as const, ...weighted }];
    });
  });
  return corrected(found, options.correction);
}

/** The p-values of all these comparisons corrected as one family. */
export function corrected<One extends Comparison>(comparisons: readonly One[], correction: Correction): readonly One[] {
  const tested = comparisons.map(({ p }) => p.permutation).filter((p) => p !== null);
  const adjusted = adjust(tested, correction).values();
  return comparisons.map((one) => ({
    ...one,
    pAdjusted: one.p.permutation === null ? null : (adjusted.next().value ?? null),
  }));
}

function slicesOf(queries: readonly ComparedQuery[]): ReadonlyMap<string, readonly number[]> {
  const slices = new Map<string, number[]>([['all', []]]);
  queries.forEach(({ slices: names }, row) => {
    for (const name of ['all', ...names]) {
      const rows = slices.get(name);
      if (rows === undefined) slices.set(name, [row]);
      else rows.push(row);
    }
  });
  return new Map([...slices].sort(([a], [b]) => Number(b === 'all') - Number(a === 'all') || byName.compare(a, b)));
}

/** Numbers inside names by their size: `2–3` before `11+`. */
const byName = new Intl.Collator('en', { numeric: true });

interface Slice {
  readonly queries: readonly ComparedQuery[];
  readonly rows: readonly number[];
  readonly base: TieColumns;
  readonly candidate: TieColumns;
}

function compareSlice(slice: Slice, asked: Float64Array | null, options: CompareOptions) {
  const { queries, rows, base, candidate } = slice;
  const of = (column: Float64Array) => Float64Array.from(rows, (row) => column[row]);
  const weights = asked === null ? null : of(asked);
  const mean = (column: Float64Array) => (weights === null ? meanOf(column) : weightedMean(column, weights).mean);
  const deltas = pairedDeltas(of(base.expected), of(candidate.expected));
  const { median, percentiles, improved, tied, regressed, worst } = summarizeDeltas(deltas, options.worst);
  return {
    n: rows.length,
    base: mean(of(base.expected)),
    candidate: mean(of(candidate.expected)),
    ...inferred(deltas, weights, options),
    median: median ?? 0,
    percentiles: percentiles ?? { p5: 0, p25: 0, p75: 0, p95: 0 },
    improved,
    tied,
    regressed,
    tieRange: [base, candidate].reduce((sum, { min, max }) => sum + mean(of(max)) - mean(of(min)), 0),
    worst: worst.map((i): WorstQuery => {
      const { id, text, task } = queries[rows[i]];
      return { query: id, delta: deltas[i], text, task };
    }),
  };
}

/** What the deltas say of other queries. With weights, t, dz and MDE are those of the linearized mean. */
function inferred(deltas: Float64Array, weights: Float64Array | null, options: CompareOptions) {
  const spread = weights === null ? deltas : weightedMean(deltas, weights).linearized;
  const { mean, sd } = moments(spread);
  const dz = cohenDz(spread);
  const alpha = 1 - options.confidence;
  const signed = weights === null ? deltas : deltas.map((delta, i) => delta * weights[i]);
  return {
    delta: weights === null ? (mean ?? 0) : weightedMean(deltas, weights).mean,
    ...(weights === null ? meanInterval(deltas, options) : weightedInterval(deltas, weights, options)),
    p: { permutation: dz === null ? null : signFlip(signed, options).p, t: pairedT(spread, options.confidence).p },
    dz,
    mde: dz === null || sd === null ? null : minimumDetectableEffect({ n: deltas.length, sd, alpha, power }),
  };
}

function meanOf(values: Float64Array): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
