import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import type { JobResult } from '../../runners/backends/onnx/job.js';
import { sessionOn } from '../../runners/backends/onnx/session-thread.js';
import { job } from './run-graph.js';

/** A thread that opens at once and does `onRun` with each job that comes. */
function threadThat(onRun: string): Worker {
  const program = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ kind, id }) => {
      if (kind === 'close') return parentPort.close();
      ${onRun}
    });
    parentPort.postMessage({ kind: 'open', facts: { inputs: [], outputs: [] } });
  `;
  return new Worker(program, { eval: true });
}

const answer = `parentPort.postMessage({ kind: 'done', id, result: { kind: 'margins', values: Float64Array.of(id) } });`;
const some = () => job({ kind: 'labels', labels: 1 }, [1]);

/** What became of the jobs by the time the thread is gone; one that nobody ever answers is said to hang. */
async function outcomes(worker: Worker, jobs: readonly Promise<JobResult>[]): Promise<string[]> {
  const said = jobs.map(() => 'hangs');
  jobs.forEach((one, i) => {
    one.then(
      () => {
        said[i] = 'done';
      },
      (error) => {
        said[i] = String(error.message);
      },
    );
  });
  await new Promise((resolve) => worker.once('exit', resolve));
  await nextTurn();
  return said;
}

describe('a thread that ends while jobs wait', () => {
  test.each([
    ['by itself', 'process.exit(3)', /has ended \(exit code 3\): model\.onnx/],
    ['by an error', `throw new Error('out of memory')`, /has ended \(out of memory\): model\.onnx/],
  ])('%s: every job hears why, and so does one that comes later', async (_, end, reason) => {
    const worker = threadThat(`if (id === 0) { ${answer} } else ${end};`);
    const session = await sessionOn(worker, 'model.onnx');
    expect(await session.run(some())).toMatchObject({ kind: 'margins' });
    const waiting = [1, 2, 3].map(() => session.run(some()));
    for (const said of await outcomes(worker, waiting)) expect(said).toMatch(reason);
    await expect(session.run(some())).rejects.toThrow(reason);
    await session.close();
  });

  test('before it is open: opening is refused', async () => {
    await expect(sessionOn(new Worker('process.exit(4)', { eval: true }), 'model.onnx')).rejects.toThrow(
      /has ended \(exit code 4\)/,
    );
  });
});

test('jobs are answered by their number, whatever the order of the answers', async () => {
  const session = await sessionOn(
    threadThat(`if (id === 0) return; ${answer} if (id === 1) { id = 0; ${answer} }`),
    'model.onnx',
  );
  const results = await Promise.all([session.run(some()), session.run(some())]);
  expect(results.map((result) => (result.kind === 'margins' ? result.values[0] : result.kind))).toEqual([0, 1]);
  await session.close();
});
