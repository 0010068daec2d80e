import type { ResampleRange } from './bootstrap.js';
import { stateAt, uniformAt } from './draws.js';
import { type Laid, layOut, sumResamples, workspace } from './sums.js';

/** The per-query values of one task, laid out for drawing. */
export interface LaidTask {
  readonly laid: Laid;
  /** By system. */
  readonly means: readonly number[];
}

/** One place of a suite, to which each resample draws a task. */
export interface TaskPlace {
  readonly slot: number;
  /** Of the stream that draws the tasks of the suite: resample r takes its numbers r · T … r · T + T − 1. */
  readonly taskSeed: number;
  /** Of the stream that draws queries for this place; null where tasks keep their means. */
  readonly querySeed: number | null;
}

/** One list per system, all of one length. */
export function layOutTask(values: readonly Float64Array[]): LaidTask {
  const means = values.map((each) => each.reduce((sum, value) => sum + value, 0) / each.length);
  return { laid: layOut(values), means };
}

/** Per system the mean of the task drawn for this place, resample by resample. `tasks` are all of the suite's. */
export function drawnTaskMeans(
  tasks: readonly LaidTask[],
  { slot, taskSeed, querySeed }: TaskPlace,
  { from, count }: ResampleRange,
): readonly Float64Array[] {
  const means = tasks[0].means.map(() => new Float64Array(count));
  const longest = tasks.reduce((most, { laid }) => Math.max(most, laid.length), 0);
  const work = workspace({ length: longest, stride: tasks[0].laid.stride }, 1);
  for (let r = 0; r < count; r++) {
    const resample = from + r;
    const task = tasks[Math.floor(uniformAt(taskSeed, resample * tasks.length + slot) * tasks.length)];
    if (querySeed !== null) {
      sumResamples(task.laid, { count: 1, state: stateAt(querySeed, resample * longest) }, work);
    }
    for (let system = 0; system < means.length; system++) {
      means[system][r] = querySeed === null ? task.means[system] : work.sums[system] / task.laid.length;
    }
  }
  return means;
}
