import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const workers = join(import.meta.dirname, '../../dist/scripts/workers.js');

test('a job that never reaches a thread is an outcome, not a wait without end, and the others go on', () => {
  const script = `
    import { closeWorkers, runBatch } from ${JSON.stringify(workers)};
    const settings = { root: '/nowhere', device: 'cpu', threads: 1, memoryBytes: 1e9, cacheLimitBytes: 1e9 };
    const models = { settings, lookup: { resolved: [], failures: new Map() } };
    const job = (id, extra) => ({ root: '/nowhere', task: { id, source: 'beir:/nowhere' }, options: {}, force: false, models, ...extra });
    const jobs = [job('mine/a', { notData: () => undefined }), job('mine/b', {})];
    const onCrash = ({ task }, error) => ({ task: task.id, status: 'crashed', error });
    const results = await runBatch({ handler: 'build', jobs, threads: 1, onEvent: () => undefined, onCrash });
    await closeWorkers();
    console.log(JSON.stringify(results.map(({ task, status }) => [task, status])));
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 50_000,
  });
  expect(JSON.parse(printed)).toEqual([
    ['mine/a', 'crashed'],
    ['mine/b', 'failed'],
  ]);
});
