import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { reasonOf } from '../core/errors.js';
import { atEnd } from './at-end.js';
import type { Handlers } from './worker.js';
import { closeThreadModels } from './worker-runtime.js';

type HandlerName = keyof Handlers;
type JobOf<Name extends HandlerName> = Parameters<Handlers[Name]>[0];
type ResultOf<Name extends HandlerName> = Awaited<ReturnType<Handlers[Name]>>;

export interface Batch<Name extends HandlerName> {
  readonly handler: Name;
  readonly jobs: readonly JobOf<Name>[];
  /** Jobs worked on at once, each in a thread of its own. */
  readonly threads: number;
  /** Steps that a job reports on its way. */
  readonly onEvent: (event: unknown) => void;
  /** The result of each job as it comes. */
  readonly onSettled?: (result: ResultOf<Name>) => unknown;
  /** A thread that dies (out of memory) ends its job, not the batch. */
  readonly onCrash: (job: JobOf<Name>, reason: string) => ResultOf<Name>;
}

/** Runs jobs in worker threads, results in the order of the jobs. From TypeScript sources (tests) they run in this thread. */
export async function runBatch<Name extends HandlerName>(batch: Batch<Name>): Promise<ResultOf<Name>[]> {
  if (import.meta.url.endsWith('.ts') || batch.jobs.length === 0) return runHere(batch);
  const pool = await workers(batch.threads);
  return Promise.all(
    batch.jobs.map(async (job) => {
      const result = await runThere(pool, batch, job);
      batch.onSettled?.(result);
      return result;
    }),
  );
}

atEnd(closeWorkers);

/** One pool for all batches of a command: a thread takes as long to load its modules as a small task takes. */
let shared: { readonly threads: number; readonly pool: Piscina } | null = null;

async function workers(threads: number): Promise<Piscina> {
  if (shared?.threads === threads) return shared.pool;
  await closeWorkers();
  const { Piscina: Pool } = await import('piscina');
  const filename = new URL('./worker.js', import.meta.url).href;
  // Without atomics, since a worker that sleeps in Atomics.wait does not get to close its port: events would be late.
  const pool: Piscina = new Pool({
    filename,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 10_000,
    atomics: 'disabled',
  });
  shared = { threads, pool };
  return pool;
}

/** Ends the threads, without which a process waits for them. */
export async function closeWorkers(): Promise<void> {
  const pool = shared?.pool;
  shared = null;
  await pool?.destroy();
  await closeThreadModels();
}

async function runHere<Name extends HandlerName>({
  handler,
  jobs,
  onEvent,
  onSettled,
}: Batch<Name>): Promise<ResultOf<Name>[]> {
  const { handlers } = await import('./worker.js');
  const handle = handlers[handler] as (job: JobOf<Name>, onEvent: (event: unknown) => void) => Promise<ResultOf<Name>>;
  const results: ResultOf<Name>[] = [];
  for (const job of jobs) {
    const result = await handle(job, onEvent);
    onSettled?.(result);
    results.push(result);
  }
  return results;
}

async function runThere<Name extends HandlerName>(
  pool: Piscina,
  { handler, onEvent, onCrash }: Batch<Name>,
  job: JobOf<Name>,
): Promise<ResultOf<Name>> {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', onEvent);
  const closed = once(port1, 'close');
  try {
    return (await pool.run({ job, port: port2 }, { name: handler, transferList: [port2] })) as ResultOf<Name>;
  } catch (error) {
    // The job may never have reached a thread, and then nobody else closes the channel.
    port1.close();
    return onCrash(job, reasonOf(error));
  } finally {
    // The worker closes its end after its last event, so closing here first would lose events on the way.
    await closed;
  }
}
