/** `tenbin/tasks`: what is asked. Types of collections and nano-sets, their files, sources and specs. */
export { TenbinError } from '../core/errors.js';
export { type DocId, docId, type QueryId, queryId, type TaskId, taskId } from '../core/ids.js';
export { parseManifest } from './manifest.js';
export { manifestDigest, nanoPaths, type Sealed, sealNanoSet } from './nano-files.js';
export { selectTasks } from './select.js';
export { bindSource, sources } from './sources/index.js';
export { taskGroups, taskSpecs } from './specs/index.js';
export { isIntact, listBuilt, readJudgements, readManifest, readNanoSet, suiteFolder, writeNanoSet } from './store.js';
export type * from './types.js';
