/** `tenbin/results`: what runs mean. Measures over ties, scoring, the board and its reports. */
export { buildBoard } from './board.js';
export {
  type Board,
  type BoardInput,
  type BoardSystem,
  type BoardTask,
  type Estimate,
  own,
  type QueryValues,
  type SystemResults,
  type TaskResults,
} from './board-types.js';
export { exportFormats } from './exports/index.js';
export { measureKinds } from './measures/index.js';
export { parseMeasure } from './measures/parse.js';
export { fixedOrders, type TieRule, tieRules } from './order.js';
export { decodeQrels, decodeRun } from './readers/index.js';
export { reports } from './reports/index.js';
export { type ScoreRequest, type Scores, scoreRun } from './score.js';
export { type ScoreReport, scoreReport } from './score-report.js';
export { type ScoredTask, type ScoreJob, scoreTask, writeBoard } from './store.js';
export { taskResults } from './task-results.js';
export type * from './types.js';
