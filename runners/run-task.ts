import { join } from 'node:path';
import { reasonOf, TenbinError } from '../core/errors.js';
import type { TaskId } from '../core/ids.js';
import { readNanoSet } from '../tasks/store.js';
import type { NanoSet } from '../tasks/types.js';
import { type Arena, arenaOf } from './arena.js';
import { familyOf, parseSystem } from './grammar.js';
import { type ModelCatalog, unresolved } from './models/catalog.js';
import { manifestAnalyzer, type PlannedRun } from './plan.js';
import { type Machine, type RunOptions, runSystem } from './run.js';
import { readRecord, writeFailure, writeRun } from './store.js';
import type { ModelRuntime } from './system.js';

/** One task with the systems still to run on it: the unit of work of a pool of workers. */
export interface TaskJob {
  readonly root: string;
  readonly task: TaskId;
  readonly runs: readonly PlannedRun[];
  readonly options: RunOptions;
  readonly machine?: Machine;
}

/** What a job is run with; without a runtime and a catalog only the built-in systems can be. */
export interface TaskContext {
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
  readonly peakRssBytes?: () => number;
  readonly onOutcome: (outcome: RunOutcome) => void;
  readonly catalog?: ModelCatalog;
  readonly runtime?: ModelRuntime;
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
export async function runTask(job: TaskJob, context: TaskContext): Promise<RunOutcome[]> {
  const opened = await openTask(job, context).catch((error: unknown) => error);
  const outcomes: RunOutcome[] = [];
  for (const planned of job.runs) {
    const outcome = await attempt(job, planned, opened, context);
    context.onOutcome(outcome);
    outcomes.push(outcome);
  }
  return outcomes;
}

interface Opened {
  readonly nano: NanoSet;
  readonly arena: Arena;
}

async function openTask({ root, task, options }: TaskJob, { runtime }: TaskContext): Promise<Opened> {
  const nano = await readNanoSet(root, task);
  const engine = { analyzer: manifestAnalyzer(nano.manifest), seed: options.seed, ...(runtime && { runtime }) };
  return { nano, arena: arenaOf(nano, engine) };
}

async function attempt(
  { root, options, machine }: TaskJob,
  planned: PlannedRun,
  opened: Opened | unknown,
  { clock, peakRssBytes, catalog = unresolved }: TaskContext,
): Promise<RunOutcome> {
  const { task, system, path } = planned;
  try {
    if (!isOpened(opened)) throw opened;
    const parsed = parseSystem(system, catalog);
    const edge = { clock, ...(machine && { machine }), ...(peakRssBytes && { peakRssBytes }) };
    await writeRun(root, await runSystem({ ...opened, system: parsed, options, ...edge }));
    return { task, system, status: 'complete', path };
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof TenbinError && error.code === 'refused')
      return { task, system, status: 'refused', reason, path };
    await recordFailure(root, planned, reason, catalog);
    return { task, system, status: 'failed', reason, path };
  }
}

/** The record of a failure is a courtesy: when it cannot be written either (a full disk), the reason still gets out. */
async function recordFailure(
  root: string,
  { task, nano, system, digest, path }: PlannedRun,
  reason: string,
  catalog: ModelCatalog,
): Promise<void> {
  const facts = { task: { id: task, digest: nano }, system, family: familyOf(parseSystem(system, catalog)), digest };
  // Rankings made under the same conditions stay valid, whatever became of the task since.
  const before = await readRecord(join(root, path)).catch(() => null);
  if (before?.status === 'complete' && before.digest === digest) return;
  await writeFailure(root, facts, reason).catch(() => undefined);
}

function isOpened(value: unknown): value is Opened {
  return typeof value === 'object' && value !== null && 'nano' in value && 'arena' in value;
}
