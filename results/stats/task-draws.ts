import type { ResampleRange } from './bootstrap.js';
import { statesBefore, uniformAt } from './draws.js';
import { blockSize, type Laid, layOut, sumResamples, workspace } from './sums.js';

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

/**
 * Per system the mean of the task drawn for this place, resample by resample. `tasks` are all of the suite's. The
 * resamples that drew one task are summed block by block, so that its values are read from memory once a block.
 */
export function drawnTaskMeans(
  tasks: readonly LaidTask[],
  place: TaskPlace,
  range: ResampleRange,
): readonly Float64Array[] {
  const means = tasks[0].means.map(() => new Float64Array(range.count));
  const longest = tasks.reduce((most, { laid }) => Math.max(most, laid.length), 0);
  const work = workspace({ length: longest, stride: tasks[0].laid.stride });
  const { querySeed } = place;
  resamplesByTask(tasks.length, place, range).forEach((resamples, at) => {
    const { laid, means: whole } = tasks[at];
    const states = querySeed === null ? null : statesBefore(querySeed, resamples, longest);
    for (let start = 0; start < resamples.length; start += blockSize) {
      const end = Math.min(start + blockSize, resamples.length);
      if (states !== null) sumResamples(laid, states.subarray(start, end), work);
      for (let system = 0; system < means.length; system++) {
        const into = means[system];
        for (let i = start; i < end; i++) {
          into[resamples[i] - range.from] =
            states === null ? whole[system] : work.sums[(i - start) * laid.stride + system] / laid.length;
        }
      }
    }
  });
  return means;
}

/** By task the numbers of the resamples that drew it for this place, ascending. */
function resamplesByTask(
  tasks: number,
  { slot, taskSeed }: TaskPlace,
  { from, count }: ResampleRange,
): readonly Int32Array[] {
  const drawn = new Int32Array(count);
  const counts = new Int32Array(tasks);
  for (let r = 0; r < count; r++) {
    drawn[r] = uniformAt(taskSeed, (from + r) * tasks + slot) * tasks;
    counts[drawn[r]]++;
  }
  const byTask = Array.from(counts, (size) => new Int32Array(size));
  const next = new Int32Array(tasks);
  for (let r = 0; r < count; r++) byTask[drawn[r]][next[drawn[r]]++] = from + r;
  return byTask;
}
