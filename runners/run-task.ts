import { join } from 'node:path';
import { reasonOf, TenbinError } from '../core/errors.js';
import type { TaskId } from '../core/ids.js';
import { readNanoSet } from '../tasks/store.js';
import type { NanoSet } from '../tasks/types.js';
import { type Arena, arenaOf } from './arena.js';
import { familyOf, parseSystem } from './grammar.js';
import { manifestAnalyzer, type PlannedRun } from './plan.js';
import { type Machine, type RunOptions, runSystem } from './run.js';
import { readRecord, writeFailure, writeRun } from './store.js';

/** One task with the systems still to run on it: the unit of work of a pool of workers. */
export interface TaskJob {
  readonly root: string;
  readonly task: TaskId;
  readonly runs: readonly PlannedRun[];
  readonly options: RunOptions;
  readonly machine?: Machine;
}

/** The outcome of one run, as `tenbin run --format json` prints it. */
export interface RunOutcome {
  readonly task: string;
  readonly system: string;
  readonly status: 'complete' | 'current' | 'failed' | 'refused';
  readonly reason?: string;
  readonly path: string;
}

/** Runs the systems of a job one after the other. A failure is recorded with its reason and the rest goes on. */
export async function runTask(
  job: TaskJob,
  clock: () => number,
  onOutcome: (outcome: RunOutcome) => void,
): Promise<RunOutcome[]> {
  const opened = await openTask(job).catch((error: unknown) => error);
  const outcomes: RunOutcome[] = [];
  for (const planned of job.runs) {
    const outcome = await attempt(job, planned, opened, clock);
    onOutcome(outcome);
    outcomes.push(outcome);
  }
  return outcomes;
}

interface Opened {
  readonly nano: NanoSet;
  readonly arena: Arena;
}

async function openTask({ root, task, options }: TaskJob): Promise<Opened> {
  const nano = await readNanoSet(root, task);
  return { nano, arena: arenaOf(nano, { analyzer: manifestAnalyzer(nano.manifest), seed: options.seed }) };
}

async function attempt(
  { root, options, machine }: TaskJob,
  planned: PlannedRun,
  opened: Opened | unknown,
  clock: () => number,
): Promise<RunOutcome> {
  const { task, system, path } = planned;
  try {
    if (!isOpened(opened)) throw opened;
    await writeRun(
      root,
      await runSystem({ ...opened, system: parseSystem(system), options, ...(machine && { machine }), clock }),
    );
    return { task, system, status: 'complete', path };
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof TenbinError && error.code === 'refused')
      return { task, system, status: 'refused', reason, path };
    await recordFailure(root, planned, reason);
    return { task, system, status: 'failed', reason, path };
  }
}

/** The record of a failure is a courtesy: when it cannot be written either (a full disk), the reason still gets out. */
async function recordFailure(
  root: string,
  { task, nano, system, digest, path }: PlannedRun,
  reason: string,
): Promise<void> {
  const facts = { task: { id: task, digest: nano }, system, family: familyOf(parseSystem(system)), digest };
  // Rankings made under the same conditions stay valid, whatever became of the task since.
  const before = await readRecord(join(root, path)).catch(() => null);
  if (before?.status === 'complete' && before.digest === digest) return;
  await writeFailure(root, facts, reason).catch(() => undefined);
}

function isOpened(value: unknown): value is Opened {
  return typeof value === 'object' && value !== null && 'nano' in value && 'arena' in value;
}
