import { embeddedTasks, type KnownTask } from './embedded.js';

export { embeddedSuites, type KnownTask } from './embedded.js';
export { taskGroups } from './groups.js';

/** Every task that can be built by its name alone. */
export const taskSpecs: readonly KnownTask[] = embeddedTasks;
