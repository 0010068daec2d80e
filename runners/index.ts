/** `tenbin/runners`: systems made ready for a task, and the runs they return. */
export { analyzerFor, analyzers } from './analyzers/index.js';
export { type Arena, arenaOf } from './arena.js';
export { defaultSystems } from './default-systems.js';
export { families } from './families/index.js';
export { familyOf, parseSystem, type System, splitSystems } from './grammar.js';
export { models } from './models/index.js';
export { manifestAnalyzer, type PlannedRun, type PlanRequest, type PlanState, planRuns } from './plan.js';
export { poolSystems } from './pool-systems.js';
export { rankAll } from './rank.js';
export { defaultRunOptions, type RunOptions, type RunRequest, runDigest, runSystem } from './run.js';
export { type RunOutcome, runTask, type TaskJob } from './run-task.js';
export { bindSearcher, type Searcher } from './searcher.js';
export { type RunRecord, readRecord, readRun, runPath, writeRun } from './store.js';
export type * from './system.js';
export type { Cost, Run, Timing } from './types.js';
export { variants } from './variants/index.js';
