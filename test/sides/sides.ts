import type { Side, SideTask } from '../../results/sides.js';
import type { TieColumns } from '../../results/types.js';

export const column = (values: readonly number[], spread = 0): TieColumns => ({
  expected: Float64Array.from(values),
  min: Float64Array.from(values, (value) => value - spread),
  max: Float64Array.from(values, (value) => value + spread),
});

/** A task with queries q0, q1, … under one measure. */
export function task(id: string, values: readonly number[], facts: Partial<SideTask> = {}): SideTask {
  return {
    id,
    slices: [`task:${id}`],
    digest: `digest of ${id}`,
    queries: values.map((_, i) => ({ id: `q${i}`, text: null, slices: [] })),
    values: new Map([['RR', column(values)]]),
    costs: new Map([['bytesPerDoc', 8]]),
    ...facts,
  };
}

export function side(tasks: readonly SideTask[], facts: Partial<Side> = {}): Side {
  return { label: 'a side', unit: 'query', decimals: null, tasks, ...facts };
}
