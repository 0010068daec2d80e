import { TenbinError } from '../../core/errors.js';
import { requireFinite } from './finite.js';

/** What one task contributes: per system a number for each query, all of one length. */
export interface TaskValues {
  readonly id: string;
  readonly suite: string;
  readonly values: readonly Float64Array[];
}

/** Refuses what cannot be resampled: no task, a repeated or empty one, lists of different lengths, NaN. */
export function requireTasks(tasks: readonly TaskValues[]): void {
  if (tasks.length === 0) throw refused('There is no task to resample', 'Pass at least one task.');
  const ids = new Set<string>();
  for (const { id, values } of tasks) {
    if (ids.has(id)) throw refused('A task is there twice', 'Pass each task once.', id);
    ids.add(id);
    if (values.length !== tasks[0].values.length) {
      throw refused('A task lacks the values of a system', 'Resample systems with other tasks apart.', id);
    }
    if (values.some(({ length }) => length === 0 || length !== values[0].length)) {
      throw refused('A task has no queries, or not as many for each system', 'Pass one number per query.', id);
    }
    for (const each of values) requireFinite(each, `values of ${id}`);
  }
}

function refused(what: string, fix: string, value?: string): TenbinError {
  return new TenbinError('refused', value === undefined ? { what, fix } : { what, value, fix });
}
