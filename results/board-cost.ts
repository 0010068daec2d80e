import { byCodePoint } from '../core/order.js';
import type { WorkUnit } from '../runners/system.js';
import { workUnits } from '../runners/work.js';
import type { BoardCost, SystemResults, TaskResults } from './board-types.js';

const operations = workUnits.filter((unit) => unit !== 'flops' && unit !== 'paddedFlops');

/** Costs over the tasks that a system has, each task equal, added in the order of the tasks' ids. An imported run has none. */
export function boardCost(tasks: SystemResults['tasks']): BoardCost {
  const results = [...tasks]
    .sort(([a], [b]) => byCodePoint(a, b))
    .flatMap(([, result]) => (result.imported === undefined ? [result] : []));
  const counted = operations.flatMap((unit) => {
    const mean = meanWork(results, unit);
    return mean === null ? [] : [[unit, mean] as const];
  });
  return {
    bytesPerDoc: mean(results.map(({ cost }) => cost.bytesPerDoc)),
    bytesPerQuery: null,
    indexBytes: mean(results.map(({ cost }) => cost.indexBytes)),
    indexOverheadBytes: null,
    modelBytes: mean(results.flatMap(({ cost }) => (cost.modelBytes === undefined ? [] : [cost.modelBytes]))),
    flopsPerQuery: flopsPerQuery(results),
    flopsByStage: {},
    flops: null,
    opsPerQuery: Object.fromEntries(counted),
    latencyMs: {
      p50: mean(results.map(({ queryMs }) => queryMs.p50)),
      p95: mean(results.map(({ queryMs }) => queryMs.p95)),
    },
    RPP: {},
    QPP: null,
  };
}

/** Undefined where tokens went through a model: what they cost is counted as tokens, and search alone would mislead. */
function flopsPerQuery(results: readonly TaskResults[]): number | null {
  const throughModels = results.some(({ cost }) => (cost.work.tokens ?? 0) > 0);
  return throughModels ? null : meanWork(results, 'flops');
}

/** A task whose run did not count a unit did none of it; if no run counted it, the mean is undefined. */
function meanWork(results: readonly TaskResults[], unit: WorkUnit): number | null {
  if (results.every(({ cost }) => cost.work[unit] === undefined)) return null;
  return mean(results.map(({ cost }) => cost.work[unit] ?? 0));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
