import { Worker } from 'node:worker_threads';
import { reasonOf, TenbinError } from '../../../core/errors.js';
import { buffersOf, type GraphFacts, type JobResult, type Session, type SessionRequest } from './job.js';
import { type FromThread, receivedError, type ToThread } from './messages.js';

interface Waiting {
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

/** This side of a thread: who waits for which job, and why it has ended, if it has. */
interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  readonly gone: Promise<void>;
  ended: TenbinError | null;
}

/** Opens a session in a worker thread. */
export function openThread(request: SessionRequest): Promise<Session> {
  // Options of this process are not the thread's: some of them, as --input-type, no file can be loaded with.
  const url = new URL('./session-worker.js', import.meta.url);
  return sessionOn(new Worker(url, { workerData: request, execArgv: [] }), request.path);
}

/** The session that a thread serves (messages.ts); when the thread dies, whoever waits for it hears why. */
export function sessionOn(worker: Worker, path: string): Promise<Session> {
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const thread: Thread = { worker, waiting: new Map(), gone, ended: null };
  return new Promise((opened, refused) => {
    const end = (error: TenbinError) => {
      thread.ended ??= error;
      refused(thread.ended);
      for (const { reject } of thread.waiting.values()) reject(thread.ended);
      thread.waiting.clear();
    };
    worker.on('error', (error) => end(threadDied(path, reasonOf(error))));
    worker.on('exit', (code) => end(threadDied(path, `exit code ${code}`)));
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'open') opened(sessionOf(thread, message.facts));
      else if (message.kind === 'not-open') end(receivedError(message.error));
      else settle(thread, message);
    });
  });
}

function settle({ worker, waiting }: Thread, message: Extract<FromThread, { id: number }>): void {
  const job = waiting.get(message.id);
  waiting.delete(message.id);
  // An idle session keeps no process alive.
  if (waiting.size === 0) worker.unref();
  if (message.kind === 'done') job?.resolve(message.result);
  else job?.reject(receivedError(message.error));
}

function sessionOf(thread: Thread, facts: GraphFacts): Session {
  const { worker, waiting, gone } = thread;
  let next = 0;
  worker.unref();
  return {
    facts,
    run: (job) =>
      new Promise((resolve, reject) => {
        if (thread.ended !== null) return reject(thread.ended);
        const id = next++;
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ kind: 'run', id, job } satisfies ToThread, buffersOf(job));
      }),
    close: async () => {
      if (thread.ended !== null) return;
      worker.ref();
      worker.postMessage({ kind: 'close' } satisfies ToThread);
      await gone;
    },
  };
}

function threadDied(path: string, reason: string): TenbinError {
  return new TenbinError('io', {
    what: `The thread that runs a graph has ended (${reason})`,
    value: path,
    fix: 'It may have been out of memory: close other programs, then run the same command again.',
  });
}
