/** `tenbin/training`: a score for a model while it is trained. */
export { taskId } from '../core/ids.js';
export { readNanoSet } from '../tasks/store.js';
export { nanoEvaluator } from './evaluator.js';
export type { Embed, NanoEvaluator, NanoEvaluatorOptions, NanoScore, NanoTaskScore } from './types.js';
