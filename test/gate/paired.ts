import type { ComparedQuery } from '../../results/compare.js';
import { type Policy, parsePolicy } from '../../results/gate/policy.js';
import type { Paired } from '../../results/sides.js';
import type { TieColumns } from '../../results/types.js';

/** Columns without ties. */
export function plain(values: readonly number[]): TieColumns {
  const column = Float64Array.from(values);
  return { expected: column, min: column, max: column };
}

export function queries(count: number, slicesOf: (i: number) => readonly string[] = () => []): ComparedQuery[] {
  return Array.from({ length: count }, (_, i) => ({ id: `q${i}`, text: `text ${i}`, task: null, slices: slicesOf(i) }));
}

/** Two sides of one measure, nDCG@10, from the values of the base and the deltas. */
export function pairedBy(base: readonly number[], deltas: readonly number[], more: Partial<Paired> = {}): Paired {
  return {
    unit: 'query',
    queries: queries(base.length),
    base: new Map([['nDCG@10', plain(base)]]),
    candidate: new Map([['nDCG@10', plain(base.map((value, i) => value + deltas[i]))]]),
    missing: [],
    costs: { base: new Map(), candidate: new Map() },
    ...more,
  };
}

/** A policy of checks in YAML flow style; few resamples, since no digit of an interval is asked for. */
export function policyOf(checks: string, more = ''): Policy {
  return parsePolicy(`resamples: 1000\n${more}\nchecks: [${checks}]`, 'gate.yaml');
}

/** The same again and again: as many deltas as asked for. */
export function cycled(values: readonly number[], count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => values[i % values.length]);
}
