import { byCodePoint } from '../core/order.js';
import { type Estimates, estimatesOf, type TasksById } from './board-means.js';
import type { BoardSystem, ImportedSystem, Origin, SystemResults } from './board-types.js';

/** By measure what an imported system says of the tasks; nothing is resampled, so there are no intervals. */
export function importedEstimates(
  system: ImportedSystem,
  tasks: TasksById,
  measures: readonly string[],
): ReadonlyMap<string, Estimates> {
  return new Map(
    measures.flatMap((measure) => {
      const found = new Map(
        [...tasks.keys()].flatMap((id) => {
          const mean = system.tasks.get(id)?.values.get(measure);
          return mean === undefined ? [] : [[id, mean] as const];
        }),
      );
      if (found.size === 0) return [];
      const points = new Map([...found].map(([id, { value }]) => [id, { value, min: value, max: value }]));
      const queries = (id: string) => found.get(id)?.n ?? null;
      return [[measure, estimatesOf(points, tasks, { suites: new Map(), tasks: new Map(), queries })] as const];
    }),
  );
}

/** The mark of imported means. */
export function originOfMeans({ tasks }: ImportedSystem): BoardSystem['imported'] {
  return joined(
    [...tasks.values()].map(({ origin }) => origin),
    'means',
  );
}

/** The mark of a system with an imported run, of which there may be some among runs of ours. */
export function originOfRuns({ tasks }: SystemResults): BoardSystem['imported'] {
  return joined(
    [...tasks.values()].flatMap(({ imported }) => imported ?? []),
    'runs',
  );
}

function joined(origins: readonly Origin[], as: 'runs' | 'means'): BoardSystem['imported'] {
  if (origins.length === 0) return undefined;
  const distinct = (texts: readonly string[]) => [...new Set(texts)].sort(byCodePoint);
  return {
    as,
    format: distinct(origins.map(({ format }) => format)).join(', '),
    files: distinct(origins.map(({ file }) => file)),
  };
}
