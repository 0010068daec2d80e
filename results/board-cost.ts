import { distributionOf } from '../core/distribution.js';
import { byCodePoint } from '../core/order.js';
import { type Stage, stages, type WorkUnit } from '../runners/system.js';
import { workUnits } from '../runners/work.js';
import { qualityPerPetaflop, queriesPerPetaflop } from './board-ratios.js';
import type { BoardCost, SystemResults, TaskResults } from './board-types.js';

const operations = workUnits.filter((unit) => unit !== 'flops' && unit !== 'paddingFlops');

/** Costs over the tasks that a system has, each task equal, added in the order of the tasks' ids. Imported runs and frozen pools have none. */
export function boardCost(tasks: SystemResults['tasks']): BoardCost {
  const results = [...tasks]
    .sort(([a], [b]) => byCodePoint(a, b))
    .flatMap(([, result]) => (result.imported === undefined && result.frozen !== true ? [result] : []));
  const known = results.every(({ cost }) => cost.flopsPerQuery != null);
  return {
    bytesPerDoc: meanOf(results, ({ cost }) => cost.bytesPerDoc),
    bytesPerQuery: meanOf(results, ({ cost }) => cost.bytesPerQuery),
    indexBytes: meanOf(results, ({ cost }) => cost.indexBytes),
    indexOverheadBytes: meanOf(results, ({ cost }) => cost.indexOverheadBytes),
    modelBytes: meanOf(results, ({ cost }) => cost.modelBytes),
    flopsPerQuery: meanOf(results, ({ cost }) => cost.flopsPerQuery?.mean),
    flopsByStage: known ? entriesOf(stages, (stage) => stageFlops(results, stage)) : {},
    flops: flopsOf(results),
    opsPerQuery: entriesOf(operations, (unit) => meanWork(results, unit)),
    latencyMs: {
      p50: meanOf(results, ({ queryMs }) => queryMs.p50),
      p95: meanOf(results, ({ queryMs }) => queryMs.p95),
    },
    RPP: Object.fromEntries(measuresOf(results).map((name) => [name, qualityPerPetaflop(results, name)])),
    QPP: queriesPerPetaflop(results),
  };
}

function measuresOf(results: readonly TaskResults[]): readonly string[] {
  return [...new Set(results.flatMap(({ values }) => [...values.keys()]))];
}

/** Null where a task does not say: a mean of the others would be of other tasks. */
function meanOf(
  results: readonly TaskResults[],
  read: (result: TaskResults) => number | null | undefined,
): number | null {
  const values = results.map(read);
  const known = values.filter((value) => value != null);
  return known.length < values.length ? null : mean(known);
}

/** A task whose run did not count a unit did none of it; if no run counted it, the mean is undefined. */
function meanWork(results: readonly TaskResults[], unit: WorkUnit): number | null {
  if (results.every(({ cost }) => cost.work[unit] === undefined)) return null;
  return mean(results.map(({ cost }) => cost.work[unit] ?? 0));
}

function stageFlops(results: readonly TaskResults[], stage: Stage): number | null {
  if (results.every(({ cost }) => cost.stages?.[stage]?.flops === undefined)) return null;
  return mean(results.map(({ cost }) => cost.stages?.[stage]?.flops ?? 0));
}

/** Percentiles over all queries of all tasks. */
function flopsOf(results: readonly TaskResults[]): BoardCost['flops'] {
  const lists = results.flatMap(({ queryFlops }) => (queryFlops ? [queryFlops] : []));
  if (lists.length < results.length || lists.every(({ length }) => length === 0)) return null;
  const { p50, p95, max } = distributionOf(lists.flatMap((list) => [...list]));
  const [needed, padding] = [meanWork(results, 'flops'), meanWork(results, 'paddingFlops')];
  return { p50, p95, max, padded: needed === null || padding === null ? null : needed + padding };
}

function entriesOf<Name extends string>(
  names: readonly Name[],
  read: (name: Name) => number | null,
): Readonly<Partial<Record<Name, number>>> {
  const there = names.flatMap((name) => {
    const value = read(name);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(there) as Partial<Record<Name, number>>;
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
