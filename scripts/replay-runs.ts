import type { ReplayRun } from '../results/replay/runs.js';
import { readRun } from '../runners/store.js';
import { noSuchRun, runFolderOf } from './read-input.js';
import { readRankings } from './read-runs.js';

/** A run file of any form, or the folder of a run of ours, which knows its task. */
export async function readReplayRun(
  operand: string,
  options: { readonly out: string; readonly quiet?: boolean },
): Promise<ReplayRun> {
  const folder = await runFolderOf(operand, options.out);
  if (folder === null) return { name: operand, rankings: await readRankings(operand, options), task: null };
  const run = await readRun(folder);
  if (run === null) throw noSuchRun(operand);
  return { name: run.system, rankings: run.rankings, task: run.task };
}
