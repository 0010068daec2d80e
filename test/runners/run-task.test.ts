import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { taskId } from '../../core/ids.js';
import { scoreTask } from '../../results/store.js';
import { parseSystem } from '../../runners/grammar.js';
import { planRuns } from '../../runners/plan.js';
import { defaultRunOptions } from '../../runners/run.js';
import { runTask } from '../../runners/run-task.js';
import { readRecord, readRun, runPath } from '../../runners/store.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { readManifest, writeNanoSet } from '../../tasks/store.js';
import { animals, smallNano, temporaryFolder } from '../small-nano.js';

const task = taskId('test/small');

async function setUp(systems: readonly string[], options = defaultRunOptions) {
  const root = temporaryFolder();
  await writeNanoSet(root, sealNanoSet(smallNano(animals)));
  const plan = async () => {
    const manifest = await readManifest(root, task);
    return planRuns({
      root,
      manifests: manifest === null ? [] : [manifest],
      systems: systems.map((text) => parseSystem(text)),
      options,
    });
  };
  const run = async () =>
    runTask({ root, task, runs: await plan(), options }, { clock: () => 0, onOutcome: () => undefined });
  const states = async () => (await plan()).map(({ state }) => state);
  return { root, plan, run, states };
}

test('runs, stores, and knows afterwards that nothing is left to do', async () => {
  const { root, run, states } = await setUp(['bm25', 'lsa@2+int8']);
  expect(await states()).toEqual(['missing', 'missing']);
  const outcomes = await run();
  expect(outcomes.map(({ status }) => status)).toEqual(['complete', 'complete']);
  expect(await states()).toEqual(['current', 'current']);
  const stored = await readRun(join(root, runPath(task, 'bm25')));
  expect(stored).toMatchObject({ system: 'bm25', family: 'lexical', task: { id: task }, conditions: { depth: 100 } });
  expect(stored?.rankings.size).toBe(3);
  expect(Object.keys(JSON.parse(readFileSync(join(root, runPath(task, 'bm25'), 'run.json'), 'utf8')))).not.toContain(
    'measures',
  );
});

test('two runs of the same thing differ only in timing', async () => {
  const read = async () => {
    const { root, run } = await setUp(['lsa@2+binary+rescore@2']);
    await run();
    const folder = join(root, runPath(task, 'lsa@2+binary+rescore@2'));
    const { timing: _, ...record } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
    return { record, rankings: readFileSync(join(folder, 'rankings.parquet')) };
  };
  expect(await read()).toEqual(await read());
});

test('another depth, seed or build of the task makes a run stale; a damaged file too', async () => {
  const { root, run, states, plan } = await setUp(['bm25']);
  await run();
  const manifest = await readManifest(root, task);
  const systems = [parseSystem('bm25')];
  for (const options of [
    { ...defaultRunOptions, depth: 10 },
    { ...defaultRunOptions, seed: 1 },
  ]) {
    const other = await planRuns({ root, manifests: manifest === null ? [] : [manifest], systems, options });
    expect(other.map(({ state }) => state)).toEqual(['stale']);
  }
  for (const name of ['rankings.parquet', 'work.parquet']) {
    const file = join(root, (await plan())[0]?.path ?? '', name);
    writeFileSync(file, readFileSync(file).fill(0, 10, 11));
    expect(await states()).toEqual(['stale']);
    await run();
    expect(await states()).toEqual(['current']);
  }
  await writeNanoSet(root, sealNanoSet(smallNano({ ...animals, docs: { ...animals.docs, f: 'one more' } })));
  expect(await states()).toEqual(['stale']);
});

test('a refused variant is passed by with its reason and the rest goes on', async () => {
  const { run } = await setUp(['bm25+binary', 'bm25']);
  const outcomes = await run();
  expect(outcomes.map(({ status }) => status)).toEqual(['refused', 'complete']);
  expect(outcomes[0]?.reason).toContain('binary needs vectors');
});

test('a damaged nano-set fails its runs, each with the reason on record; nothing is thrown', async () => {
  const { root, run, plan } = await setUp(['bm25', 'tf-idf']);
  const planned = await plan();
  const corpus = join(root, 'nano/test/corpus/small.parquet');
  writeFileSync(corpus, readFileSync(corpus).fill(0, 50, 60));
  const outcomes = await run();
  expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect(await readRecord(join(root, planned[0]?.path ?? ''))).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('corpus/small.parquet'),
  });
});

test('a run record that is not one is an error that names the file', async () => {
  const { root, run, plan } = await setUp(['bm25']);
  await run();
  const path = join(root, (await plan())[0]?.path ?? '', 'run.json');
  writeFileSync(path, '{"schema":"tenbin/run@1"}');
  await expect(readRecord(join(path, '..'))).rejects.toThrow(path);
});

test('rankings with one flipped byte are an error that names the file', async () => {
  const { root, run, plan } = await setUp(['bm25']);
  await run();
  const folder = join(root, (await plan())[0]?.path ?? '');
  const path = join(folder, 'rankings.parquet');
  writeFileSync(
    path,
    readFileSync(path).map((byte, i) => (i === 20 ? byte ^ 1 : byte)),
  );
  await expect(readRun(folder)).rejects.toThrow(`digest differs from run.json: ${path}`);
});

test('a failure does not take the place of a good run made under the same conditions', async () => {
  const { root, run, plan } = await setUp(['bm25']);
  await run();
  const [planned] = await plan();
  const corpus = join(root, 'nano/test/corpus/small.parquet');
  writeFileSync(corpus, readFileSync(corpus).fill(0, 50, 60));
  expect((await run()).map(({ status }) => status)).toEqual(['failed']);
  expect(await readRecord(join(root, planned?.path ?? ''))).toMatchObject({ status: 'complete' });
});

test('the board leaves out runs made on another build, and runs that are not deep enough', async () => {
  const { root, run } = await setUp(['bm25']);
  await run();
  const score = (measure: string) => scoreTask({ root, task, measures: [measure], systems: null });
  expect((await score('R@100')).systems.map(({ id }) => id)).toEqual(['bm25']);
  await writeNanoSet(root, sealNanoSet(smallNano({ ...animals, docs: { ...animals.docs, f: 'one more' } })));
  const other = await score('R@100');
  expect(other.systems).toEqual([]);
  expect(other.leftOut[0]).toContain('another build');

  const shallow = await setUp(['bm25'], { ...defaultRunOptions, depth: 2 });
  await shallow.run();
  const scored = (measure: string) => scoreTask({ root: shallow.root, task, measures: [measure], systems: null });
  expect((await scored('R@2')).systems).toHaveLength(1);
  expect((await scored('R@3')).leftOut[0]).toContain('2 documents deep');
});
