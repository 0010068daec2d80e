import type { Paired } from '../sides.js';
import { percentileInterval } from '../stats/bootstrap.js';
import { hierarchicalBootstrap, type TaskValues } from '../stats/hierarchical.js';
import { meanInterval } from '../stats/mean-interval.js';
import type { ParetoBoard } from './types.js';

/** best − runner-up as a micro mean, with its 95 % interval. A type, so that it is assignable to `Json`. */
export type Difference = {
  readonly value: number;
  /** Null where there is nothing to draw from: one task, of which only the mean is known. */
  readonly low: number | null;
  readonly high: number | null;
  /** What is paired, and how many of them there are. */
  readonly unit: Paired['unit'];
  readonly n: number;
  readonly method: 'percentile' | 'bca' | 'none';
  /** Whether the interval leaves out 0. */
  readonly sure: boolean;
};

/** What two sides hold of one measure, task by task. */
interface DifferenceInput {
  readonly paired: Paired;
  readonly measure: string;
  readonly interval: ParetoBoard['interval'];
  /** The suite of a task. */
  readonly suiteOf: (task: string) => string;
}

/**
 * `paired.base` is the runner-up. Of queries, the difference of the board's own draws (percentiles, its level, seed and resamples),
 * so that it is of the micro means that the two were chosen by. Of tasks, the interval of the mean over tasks (BCa).
 */
export function differenceOf({ paired, measure, interval, suiteOf }: DifferenceInput): Difference | null {
  const [base, candidate] = [paired.base.get(measure)?.expected, paired.candidate.get(measure)?.expected];
  const n = paired.queries.length;
  if (base === undefined || candidate === undefined || n === 0) return null;
  const { unit } = paired;
  if (unit === 'task') {
    const deltas = candidate.map((value, i) => value - base[i]);
    const value = deltas.reduce((sum, delta) => sum + delta, 0) / n;
    if (n === 1) return { value, low: null, high: null, unit, n, method: 'none', sure: false };
    const { low, high, method } = meanInterval(deltas, { ...interval, confidence: 0.95 });
    return { value, low, high, unit, n, method, sure: isApart(low, high) };
  }
  const tasks = tasksOf({ paired, measure, interval, suiteOf }, base, candidate);
  const [left, right] = hierarchicalBootstrap(tasks, interval, { from: 0, count: interval.resamples });
  const { low, high } = percentileInterval(right.micro.map((draw, i) => draw - left.micro[i]));
  const value = microMean(tasks, 1) - microMean(tasks, 0);
  return { value, low, high, unit, n, method: 'percentile', sure: isApart(low, high) };
}

/** Values nearer to 0 than this are sums in another order. */
const isApart = (low: number, high: number): boolean => low > 1e-12 || high < -1e-12;

function tasksOf(
  { paired, suiteOf }: DifferenceInput,
  base: Float64Array,
  candidate: Float64Array,
): readonly TaskValues[] {
  const rows = new Map<string, number[]>();
  paired.queries.forEach(({ task }, row) => {
    const known = rows.get(task ?? '');
    if (known === undefined) rows.set(task ?? '', [row]);
    else known.push(row);
  });
  return [...rows].map(([id, of]) => ({
    ...{ id, suite: suiteOf(id) },
    values: [base, candidate].map((column) => Float64Array.from(of, (row) => column[row])),
  }));
}

/** Each task equal, of the side at this place. */
function microMean(tasks: readonly TaskValues[], side: number): number {
  const means = tasks.map(({ values }) => values[side].reduce((sum, value) => sum + value, 0) / values[side].length);
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}
