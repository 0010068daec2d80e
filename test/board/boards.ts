import { distributionOf } from '../../core/distribution.js';
import { mulberry32 } from '../../core/random.js';
import type { BoardInput, BoardTask, QueryValues, SystemResults, TaskResults } from '../../results/board-types.js';

/** Shapes of a made-up board; everything else follows from the seed. */
export interface Shape {
  readonly suites: number;
  readonly tasksPerSuite: number;
  readonly systems: number;
  readonly queries: number;
  /** One of so many results is missing; 0 for none. */
  readonly gaps: number;
  readonly seed: number;
}

export function madeUp({ suites, tasksPerSuite, systems, queries, gaps, seed }: Shape): BoardInput {
  const uniform = mulberry32(seed);
  const tasks = Array.from({ length: suites * tasksPerSuite }, (_, i): BoardTask => {
    const suite = `suite-${i % suites}`;
    const size = 1 + Math.floor(uniform() * queries);
    return { id: `${suite}/t${i}`, suite, language: 'en', domain: 'x', queries: size, docs: 10, digest: `d${i}` };
  });
  const families = ['lexical', 'dense', 'reranker'] as const;
  return {
    tasks,
    systems: Array.from({ length: systems }, (_, s): SystemResults => {
      const kept = tasks.filter(() => gaps === 0 || uniform() >= 1 / gaps);
      const results = kept.map((task): [string, TaskResults] => [task.id, taskResults(task.queries, uniform)]);
      return { id: `system-${s}`, family: families[s % 3], tasks: new Map(results) };
    }),
    measures: ['nDCG@10', 'R@100'],
    primary: 'nDCG@10',
    seed: 17,
    resamples: 200,
  };
}

function taskResults(queries: number, uniform: () => number): TaskResults {
  const flops = Float64Array.from({ length: queries }, () => Math.floor(uniform() * 4) * 1e9);
  return {
    ...costed({ bytesPerDoc: uniform() * 1000, indexBytes: 1000, work: uniform() < 0.5 ? {} : { postings: 5 } }, flops),
    queryMs: { p50: uniform(), p95: 1 + uniform() },
    values: new Map(['nDCG@10', 'R@100'].map((measure) => [measure, queryValues(queries, uniform)])),
  };
}

/** Where nothing is known. */
export const noCost = {
  ...{ bytesPerDoc: null, bytesPerQuery: null, indexBytes: null, indexOverheadBytes: null, modelBytes: null },
  ...{ flopsPerQuery: null, flopsByStage: {}, flops: null, opsPerQuery: {}, RPP: {}, QPP: null },
  latencyMs: { p50: null, p95: null },
};

/** Costs with the FLOPs of each query, all of them the search's. */
export function costed(
  cost: Pick<TaskResults['cost'], 'bytesPerDoc' | 'indexBytes' | 'work'>,
  queryFlops: Float64Array,
): Pick<TaskResults, 'cost' | 'queryFlops'> {
  const flopsPerQuery = distributionOf(queryFlops);
  const work = { ...cost.work, ...(flopsPerQuery.max > 0 && { flops: flopsPerQuery.mean }) };
  return { cost: { ...cost, work, stages: { search: work }, flopsPerQuery }, queryFlops };
}

/** Values on a coarse grid, so that equal means happen. */
function queryValues(queries: number, uniform: () => number): QueryValues {
  const expected = Float64Array.from({ length: queries }, () => Math.floor(uniform() * 5) / 4);
  return { expected, min: expected.map((value) => value * 0.9), max: expected.map((value) => value * 1.1) };
}

/** Per-query values, with the bounds of a measure without ties. */
export function values(...expected: readonly number[]): QueryValues {
  const series = Float64Array.from(expected);
  return { expected: series, min: series, max: series };
}
