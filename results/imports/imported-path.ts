import { join } from 'node:path';
import { folderName, splitTaskId, type TaskId } from '../../core/ids.js';

/** Where the imported means of a system on a task are kept, relative to the root. The name of the system is no path. */
export function importedPath(task: TaskId, system: string): string {
  const { suite, task: name } = splitTaskId(task);
  return join('imported', suite, name, `${folderName(system)}.json`);
}
