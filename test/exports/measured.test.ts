import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { taskId } from '../../core/ids.js';
import { importFile } from '../../scripts/import-file.js';
import { exportMeasured } from '../../scripts/results-export.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { writeNanoSet } from '../../tasks/store.js';
import { failure } from '../readers/bytes.js';
import { animals, smallNano, temporaryFolder } from '../small-nano.js';

const task = taskId('test/small');

async function place() {
  const out = temporaryFolder();
  await writeNanoSet(out, sealNanoSet(smallNano(animals)));
  const file = join(out, 'r.run');
  writeFileSync(file, 'q1 Q0 c 1 2 s\nq1 Q0 a 2 1 s\nq2 Q0 d 1 1 s\n');
  const [{ path }] = await importFile(file, { out, task, renamed: new Map(), take: 'measures', written: new Map() });
  return { out, path, options: { out, output: join(out, 'for-others'), format: 'table', quiet: true } };
}

test('a stored run is scored, written for MTEB, and read back as results', async () => {
  const { out, path, options } = await place();
  await exportMeasured([path], { ...options, to: 'mteb' });
  const [folder] = [/^runs\/test\/small\/(.+)$/.exec(path)?.[1]];
  const file = join(options.output, 'results', folder ?? '', 'no_revision_available', 'test__small.json');
  const [row] = await importFile(file, { out, renamed: new Map(), take: 'measures', written: new Map() });
  // q1 has its first relevant document second, q2 first, q3 is missing.
  expect([row.system, row.task, row.measures?.['RR@1']?.value]).toEqual(['s', task, 1 / 3]);
});

test('ir_measures takes any measure; a run of another build is refused', async () => {
  const { out, path, options } = await place();
  await exportMeasured([path], { ...options, to: 'ir_measures', measure: ['RR', 'P@1'] });
  expect(readFileSync(join(options.output, 'test__small.tsv'), 'utf8').split('\n')).toContain('q1\tRR\t0.5');
  await writeNanoSet(out, sealNanoSet(smallNano({ ...animals, queries: { ...animals.queries, q1: 'cats' } })));
  expect((await failure(exportMeasured([path], { ...options, to: 'mteb' }))).message).toContain(
    'another build of its task',
  );
});

test('several files want a folder, and a folder without a run is named', async () => {
  const { path, options } = await place();
  const { output: _, ...toStdout } = options;
  expect((await failure(exportMeasured([path], { ...toStdout, to: 'mteb' }))).message).toContain('--output FOLDER');
  expect((await failure(exportMeasured(['nowhere'], { ...options, to: 'mteb' }))).code).toBe('missing');
});
