import { costKey } from '../../results/pareto/cost-keys.js';
import type { CostKey, ParetoBoard, ParetoSystem, PlainPoint } from '../../results/pareto/types.js';
import { noPrices } from '../../results/pareto/usd.js';

export interface Made {
  readonly cost?: object;
  readonly y?: number | null;
  /** Half the width of the interval; 0.01 when nothing is said. */
  readonly error?: number;
  readonly family?: ParetoSystem['family'];
  readonly lacks?: readonly string[];
  readonly safeguarded?: boolean;
  readonly imported?: object;
}

export function system(id: string, made: Made): ParetoSystem {
  const { cost = {}, y = 0.5, error = 0.01, family = 'dense', lacks = [], safeguarded = false, imported } = made;
  const estimate = y === null ? { value: null, low: null, high: null } : { value: y, low: y - error, high: y + error };
  return {
    ...{ id, family, complete: lacks.length === 0, missing: lacks, safeguarded, cost },
    ...(imported !== undefined && { imported }),
    micro: Object.fromEntries([
      ['nDCG@10', estimate],
      ['Unjudged@10', estimate],
    ]),
    tasks: {},
  };
}

export function boardOf(...systems: readonly ParetoSystem[]): ParetoBoard {
  return {
    primary: 'nDCG@10',
    measures: ['nDCG@10', 'Unjudged@10'],
    interval: { seed: 17, resamples: 200, level: 'tasks and queries' },
    tasks: [
      { id: 'a/one', suite: 'a' },
      { id: 'a/two', suite: 'a' },
    ],
    systems,
  };
}

export const keyOf = (board: ParetoBoard, key: string): CostKey => costKey(key, board.systems, noPrices);

export function point(name: string, [x, y]: readonly [number, number], error: number | null = 0.01): PlainPoint {
  const interval = error === null ? { low: null, high: null } : { low: y - error, high: y + error };
  return { system: name, family: 'dense', safeguarded: false, x, y, ...interval };
}

/** Families, statuses, a zero, a tie, a cascade and names that a file may carry. */
export const drawnBoard: ParetoBoard = boardOf(
  system('bm25', { cost: { bytesPerDoc: 100, flopsPerQuery: 0 }, y: 0.4, family: 'lexical' }),
  system('lsa@256+binary', { cost: { bytesPerDoc: 32, flopsPerQuery: 900 }, y: 0.3 }),
  system('lsa@256', { cost: { bytesPerDoc: 1024, flopsPerQuery: 4e5 }, y: 0.395 }),
  system('splade', { cost: { bytesPerDoc: 400, flopsPerQuery: 3e9 }, y: 0.2, family: 'sparse' }),
  system('colbert', { cost: { bytesPerDoc: 5000, flopsPerQuery: 4e9 }, y: 0.45, family: 'late-interaction' }),
  system('bm25 > A@100 > B@20', { cost: { bytesPerDoc: 1124, flopsPerQuery: 9e10 }, y: 0.5, family: 'reranker' }),
  system('twin', { cost: { bytesPerDoc: 100, flopsPerQuery: 0 }, y: 0.4, family: 'lexical' }),
  system('"><script>alert(1)</script>\u202e', { cost: { bytesPerDoc: 0, flopsPerQuery: 12 }, y: 0.1 }),
  system('__proto__', { cost: { bytesPerDoc: 1024, flopsPerQuery: 4e5 }, y: 0.35 }),
  system('天秤 🎉', { cost: { bytesPerDoc: 2048, flopsPerQuery: 5e5 }, y: 0.41 }),
);
