import type { MessagePort } from 'node:worker_threads';
import { type BuildOutcome, type BuildRequest, buildTask } from '../builders/build.js';
import { type ScoredTask, type ScoreJob, scoreTask } from '../results/store.js';
import { type RunOutcome, runTask, type TaskJob } from '../runners/run-task.js';

/** What a worker thread can be asked to do. Jobs and results are plain data: errors come back as text in them. */
export const handlers = {
  build: (job: BuildRequest, onEvent: (event: unknown) => void): Promise<BuildOutcome> =>
    buildTask({ ...job, onStep: (step) => onEvent({ task: job.task.id, step }) }),
  run: (job: TaskJob, onEvent: (event: unknown) => void): Promise<RunOutcome[]> =>
    runTask(job, () => performance.now(), onEvent),
  score: (job: ScoreJob, _onEvent: (event: unknown) => void): Promise<ScoredTask> => scoreTask(job),
} as const;

export type Handlers = typeof handlers;

interface Envelope<Job> {
  readonly job: Job;
  readonly port: MessagePort;
}

/** Entry points by name, as the thread pool calls them. */
export const build = (envelope: Envelope<BuildRequest>) => withPort(envelope, handlers.build);
export const run = (envelope: Envelope<TaskJob>) => withPort(envelope, handlers.run);
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
