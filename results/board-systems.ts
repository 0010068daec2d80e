import { printable } from '../core/errors.js';
import { groupBy } from '../core/group.js';
import { byCodePoint } from '../core/order.js';
import type { ImportedSystem, SystemResults } from './board-types.js';
import type { ScoredTask } from './store.js';

export interface GatheredSystems {
  readonly systems: readonly SystemResults[];
  readonly imported: readonly ImportedSystem[];
  /** Imported results that do not count, and why. */
  readonly leftOut: readonly string[];
}

/** Results by task turned to results by system. A name is one system: where it has runs, imported means of it are refused. */
export function gatherSystems(scored: readonly ScoredTask[]): GatheredSystems {
  const tasks = scored
    .flatMap(({ task, systems, imported }) => (task === null ? [] : [{ task: task.id, systems, imported }]))
    .sort((a, b) => byCodePoint(a.task, b.task));
  const runs = groupBy(
    tasks.flatMap(({ task, systems }) => systems.map((row) => ({ ...row, task }))),
    ({ id }) => id,
  );
  const means = groupBy(
    tasks.flatMap(({ task, imported }) => imported.map((row) => ({ ...row, task }))),
    ({ id }) => id,
  );
  const [refused, alone] = [[...means].filter(([id]) => runs.has(id)), [...means].filter(([id]) => !runs.has(id))];
  return {
    systems: [...runs].map(([id, rows]) => ({
      ...{ id, family: rows[0].family },
      tasks: new Map(rows.map(({ task, results }) => [task, results])),
    })),
    imported: alone.map(([id, rows]) => ({
      ...{ id, family: rows[0].family },
      tasks: new Map(rows.map(({ task, origin, values }) => [task, { origin, values }])),
    })),
    leftOut: refused.map(([id, rows]) => {
      const tasks = rows.length === 1 ? '1 task' : `${rows.length} tasks`;
      return `${printable(id)}, imported for ${tasks}: there are runs of that name; import it under another --system`;
    }),
  };
}
