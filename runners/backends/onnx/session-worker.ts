import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { reasonOf, TenbinError } from '../../../core/errors.js';
import { openGraphs } from './graphs.js';
import { buffersOf, type SessionRequest } from './job.js';
import type { FromWorker, SentError, ToWorker } from './session.js';

/** The thread of one session: opens its graphs, runs jobs in the order they come, releases everything at the end. */
async function serve(port: MessagePort, request: SessionRequest): Promise<void> {
  const send = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  try {
    const graphs = await openGraphs(request);
    let last: Promise<unknown> = Promise.resolve();
    port.on('message', (message: ToWorker) => {
      last = last.then(async () => {
        if (message.kind === 'close') {
          await graphs.release();
          port.close();
          return;
        }
        const { id, job } = message;
        try {
          const result = await graphs.run(job);
          send({ kind: 'done', id, result }, buffersOf(result));
        } catch (error) {
          send({ kind: 'failed', id, error: sentError(error) });
        }
      });
    });
    send({ kind: 'open', facts: graphs.facts });
  } catch (error) {
    send({ kind: 'failed', id: null, error: sentError(error) });
    port.close();
  }
}

/** Errors lose their class on the way to another thread, so their parts are sent. */
function sentError(error: unknown): SentError {
  if (!(error instanceof TenbinError)) return { code: null, what: reasonOf(error), fix: '' };
  const { what, value, fix } = error.parts;
  return { code: error.code, what, fix, ...(value === undefined ? {} : { value }) };
}

if (parentPort !== null) await serve(parentPort, workerData as SessionRequest);
