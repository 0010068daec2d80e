import { openGraphs } from './graphs.js';
import type { Session, SessionRequest } from './job.js';
import { openThread } from './session-thread.js';

/** Opens the graph in a worker thread. From TypeScript sources (tests), which no thread can load, in this one. */
export function openSession(request: SessionRequest): Promise<Session> {
  return import.meta.url.endsWith('.ts') ? openHere(request) : openThread(request);
}

async function openHere(request: SessionRequest): Promise<Session> {
  const graphs = await openGraphs(request);
  let last: Promise<unknown> = Promise.resolve();
  return {
    facts: graphs.facts,
    run: (job) => {
      const result = last.then(() => graphs.run(job));
      last = result.catch(() => undefined);
      return result;
    },
    close: async () => {
      await last;
      await graphs.release();
    },
  };
}
