import { Worker } from 'node:worker_threads';
import { type ErrorCode, reasonOf, TenbinError } from '../../../core/errors.js';
import { openGraphs } from './graphs.js';
import { buffersOf, type GraphFacts, type Job, type JobResult, type SessionRequest } from './job.js';

/** An open graph in a thread of its own: `run()` of ONNX Runtime blocks the thread that it is called in. */
export interface Session {
  readonly facts: GraphFacts;
  /** Jobs run one after the other, in the order of the calls. Buffers of a job are handed over: it is used up. */
  readonly run: (job: Job) => Promise<JobResult>;
  readonly close: () => Promise<void>;
}

export type ToWorker = { readonly kind: 'run'; readonly id: number; readonly job: Job } | { readonly kind: 'close' };

export interface SentError {
  /** Null for errors that are not ours. */
  readonly code: ErrorCode | null;
  readonly what: string;
  readonly value?: string;
  readonly fix: string;
}

export type FromWorker =
  | { readonly kind: 'open'; readonly facts: GraphFacts }
  | { readonly kind: 'done'; readonly id: number; readonly result: JobResult }
  | { readonly kind: 'failed'; readonly id: number | null; readonly error: SentError };

/** Opens the graph in a worker thread. From TypeScript sources (tests), which no thread can load, in this one. */
export function openSession(request: SessionRequest): Promise<Session> {
  return import.meta.url.endsWith('.ts') ? openHere(request) : openThere(request);
}

async function openHere(request: SessionRequest): Promise<Session> {
  const graphs = await openGraphs(request);
  let last: Promise<unknown> = Promise.resolve();
  return {
    facts: graphs.facts,
    run: (job) => {
      const result = last.then(() => graphs.run(job)).catch((error) => Promise.reject(runError(request.path, error)));
      last = result.catch(() => undefined);
      return result;
    },
    close: async () => {
      await last;
      await graphs.release();
    },
  };
}

interface Waiting {
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

function openThere(request: SessionRequest): Promise<Session> {
  const worker = new Worker(new URL('./session-worker.js', import.meta.url), { workerData: request });
  const waiting = new Map<number, Waiting>();
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let ended: TenbinError | null = null;
  return new Promise((opened, refused) => {
    const fail = (error: unknown) => {
      ended ??= error instanceof TenbinError ? error : threadDied(request.path, error);
      refused(ended);
      for (const { reject } of waiting.values()) reject(ended);
      waiting.clear();
    };
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`the thread ended with code ${code}`)));
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'open') return opened(sessionOf(message.facts));
      if (message.id === null)
        return fail(message.kind === 'failed' ? receivedError(request.path, message.error) : null);
      const job = waiting.get(message.id);
      waiting.delete(message.id);
      // An idle session keeps no process alive.
      if (waiting.size === 0) worker.unref();
      if (message.kind === 'done') job?.resolve(message.result);
      else job?.reject(receivedError(request.path, message.error));
    });
  });

  function sessionOf(facts: GraphFacts): Session {
    let next = 0;
    worker.unref();
    return {
      facts,
      run: (job) =>
        new Promise((resolve, reject) => {
          if (ended !== null) return reject(ended);
          const id = next++;
          waiting.set(id, { resolve, reject });
          worker.ref();
          worker.postMessage({ kind: 'run', id, job } satisfies ToWorker, buffersOf(job));
        }),
      close: async () => {
        if (ended !== null) return;
        worker.ref();
        worker.postMessage({ kind: 'close' } satisfies ToWorker);
        await gone;
      },
    };
  }
}

function receivedError(path: string, { code, what, value, fix }: SentError): TenbinError {
  if (code === null) return runError(path, new Error(what));
  return new TenbinError(code, { what, fix, ...(value === undefined ? {} : { value }) });
}

function runError(path: string, error: unknown): TenbinError {
  if (error instanceof TenbinError) return error;
  return new TenbinError('refused', {
    what: `ONNX Runtime could not run the graph (${reasonOf(error).split('\n')[0].slice(0, 300)})`,
    value: path,
    fix: 'Check that the graph, its tokenizer and its card belong together.',
    cause: error,
  });
}

function threadDied(path: string, cause: unknown): TenbinError {
  return new TenbinError('io', {
    what: `The thread that runs a graph has ended (${reasonOf(cause)})`,
    value: path,
    fix: 'It may have been out of memory: lower the batch size or close other programs, then run the same command again.',
    cause,
  });
}
