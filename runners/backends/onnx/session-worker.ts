import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openGraphs } from './graphs.js';
import { buffersOf, type SessionRequest } from './job.js';
import { type FromThread, sentError, type ToThread } from './messages.js';

/** The thread of one session: opens its graphs, runs jobs in the order they come, releases everything at the end. */
async function serve(port: MessagePort, request: SessionRequest): Promise<void> {
  const send = (message: FromThread, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  try {
    const graphs = await openGraphs(request);
    let last: Promise<void> = Promise.resolve();
    const answer = async (message: ToThread) => {
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
    };
    port.on('message', (message: ToThread) => {
      last = last.then(() => answer(message));
    });
    send({ kind: 'open', facts: graphs.facts });
  } catch (error) {
    send({ kind: 'not-open', error: sentError(error) });
    port.close();
  }
}

if (parentPort !== null) await serve(parentPort, workerData as SessionRequest);
