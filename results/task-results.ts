import type { Run } from '../runners/types.js';
import type { Judgements } from '../tasks/types.js';
import type { TaskResults } from './board-types.js';
import { scoreRun } from './score.js';
import type { Measure } from './types.js';

/** One run scored on its task, as the board takes it. Queries stand in the order of the judgements for all systems. */
export function taskResults(run: Run, judged: Judgements, measures: readonly Measure[]): TaskResults {
  const { values } = scoreRun({ rankings: run.rankings, judged, measures, run: run.system });
  return { cost: run.cost, queryMs: run.timing.queryMs, values, safeguarded: isSafeguarded(run) };
}

/** A pool by itself holds its forced rows below the others, where they help no one; a stage behind it may lift them. */
function isSafeguarded({ conditions }: Run): boolean {
  return Object.entries(conditions).some(([name, value]) => /^stage.*\.forcedRows$/.test(name) && value === 'with');
}
