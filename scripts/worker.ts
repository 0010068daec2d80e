import type { MessagePort } from 'node:worker_threads';
import { type BuildOutcome, type BuildRequest, buildTask } from '../builders/build.js';
import { type ScoredTask, type ScoreJob, scoreTask } from '../results/store.js';
import { type RunOutcome, runTask, type TaskJob } from '../runners/run-task.js';
import { type JobReports, type ModelSetting, threadModels } from './worker-runtime.js';

/** A task to build, and how its dense model is made in the thread. */
export type BuildJob = Omit<BuildRequest, 'models' | 'onStep'> & { readonly models: ModelSetting };

/** The runs of a task, and how their models are made in the thread. */
export type RunJob = TaskJob & { readonly models: ModelSetting };

/** What a worker thread can be asked to do. Jobs and results are plain data: errors come back as text in them. */
export const handlers = {
  build: async ({ models, ...job }: BuildJob, onEvent: (event: unknown) => void): Promise<BuildOutcome> => {
    const { closeServices, ...thread } = await threadModels(models, reportsTo(onEvent));
    const onStep = (step: string) => onEvent({ task: job.task.id, step });
    return buildTask({ ...job, models: thread, onStep }).finally(closeServices);
  },
  run: async ({ models, ...job }: RunJob, onEvent: (event: unknown) => void): Promise<RunOutcome[]> => {
    const { closeServices, ...thread } = await threadModels(models, reportsTo(onEvent));
    const context = { ...thread, clock: () => performance.now(), peakRssBytes, onOutcome: onEvent };
    return runTask(job, context).finally(closeServices);
  },
  score: (job: ScoreJob, _onEvent: (event: unknown) => void): Promise<ScoredTask> => scoreTask(job),
} as const;

/** Node gives kilobytes, whatever the system. */
const peakRssBytes = () => process.resourceUsage().maxRSS * 1024;

function reportsTo(onEvent: (event: unknown) => void): JobReports {
  return { onStep: (done) => onEvent({ done }), onNote: (note) => onEvent({ note }) };
}

export type Handlers = typeof handlers;

interface Envelope<Job> {
  readonly job: Job;
  readonly port: MessagePort;
}

/** Entry points by name, as the thread pool calls them. */
export const build = (envelope: Envelope<BuildJob>) => withPort(envelope, handlers.build);
export const run = (envelope: Envelope<RunJob>) => withPort(envelope, handlers.run);
export const score = (envelope: Envelope<ScoreJob>) => withPort(envelope, handlers.score);

async function withPort<Job, Result>(
  { job, port }: Envelope<Job>,
  handle: (job: Job, onEvent: (event: unknown) => void) => Promise<Result>,
): Promise<Result> {
  try {
    return await handle(job, (event) => port.postMessage(event));
  } finally {
    port.close();
  }
}
