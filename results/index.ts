/** `tenbin/results`: what runs mean. Measures over ties, scoring, the board and its reports. */
export { type Baseline, baselineOf, baselineSide, parseBaseline } from './baseline.js';
export { baselineText } from './baseline-text.js';
export { buildBoard, defaultLevel } from './board.js';
export {
  type Board,
  type BoardInput,
  type BoardSystem,
  type BoardTask,
  type Estimate,
  type ImportedSystem,
  type ImportedTask,
  type Origin,
  own,
  type QueryValues,
  type SystemResults,
  type TaskResults,
} from './board-types.js';
export {
  type ComparedQuery,
  type ComparedValues,
  type CompareOptions,
  type CompareRequest,
  type Comparison,
  compareQueries,
} from './compare.js';
export { type EvaluateOptions, type Evaluation, evaluate, type NumbersById } from './evaluate.js';
export { exportFormats } from './exports/index.js';
export { exitCode, type JudgedPair, judge, judgeSystems } from './gate/judge.js';
export { type Policy, parsePolicy } from './gate/policy.js';
export type { CheckResult, GateResult, Verdict } from './gate/types.js';
export { measureKinds } from './measures/index.js';
export { parseMeasure } from './measures/parse.js';
export { fixedOrders, type TieRule, tieRules } from './order.js';
export { pairSides } from './pair.js';
export { decodeQrels, decodeRun } from './readers/index.js';
export { reports } from './reports/index.js';
export { type ScoreRequest, type Scores, scoreRun } from './score.js';
export { type ScoreReport, scoreReport } from './score-report.js';
export type { Paired, Side, SideTask } from './sides.js';
export * from './stats/index.js';
export { type ScoredTask, type ScoreJob, scoreTask, writeBoard } from './store.js';
export { taskResults } from './task-results.js';
export { type TieFacts, type TieRequest, tieFacts } from './tie-report.js';
export type * from './types.js';
