import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { docId, queryId, taskId } from '../../core/ids.js';
import { readRun, runPath, writeRun } from '../../runners/store.js';
import { registerCandidates } from '../../scripts/commands/candidates.js';
import { registerRun } from '../../scripts/commands/run.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { writeNanoSet } from '../../tasks/store.js';
import { said } from '../replay/command-line.js';
import { animals, smallNano, temporaryFolder } from '../small-nano.js';

const task = taskId('test/small');
const pipelines = ['hybrid > lsa@2@100', 'hybrid@unforced > lsa@2@1', 'bm25 > proximity@2', 'ql-dirichlet > bm25@2'];

async function rootWith(systems: readonly string[], depth = 100): Promise<string> {
  const root = temporaryFolder();
  await writeNanoSet(root, sealNanoSet(smallNano(animals)));
  const args = ['--systems', systems.join(', '), '--depth', String(depth), '--out', root, '--jobs', '1', '--quiet'];
  await said(registerRun, ['run', ...args]);
  return root;
}

async function candidates(root: string, args: readonly string[] = []) {
  const made = await said(registerCandidates, ['candidates', ...args, '--format', 'json', '--out', root]);
  return { ...made, json: JSON.parse(made.stdout) };
}

describe('tenbin candidates', () => {
  test('every pipeline that has a run, over frozen pools and over first stages of its own', async () => {
    const root = await rootWith(['bm25', ...pipelines]);
    const { code, json, stderr } = await candidates(root);
    expect(code).toBe(0);
    expect(json).toMatchObject({ pool: 'hybrid', tasks: [{ task, pool: { with: { forcedRows: 1, queries: 3 } } }] });
    const systems = json.tasks[0].systems;
    const found = systems.map(({ system, first, depth }: Record<string, unknown>) => [system, first, depth]).sort();
    expect(found).toEqual([
      ['bm25 > proximity@2', 'bm25', 2],
      ['hybrid > lsa@2@100', 'hybrid', 100],
      ['hybrid@unforced > lsa@2@1', 'hybrid@unforced', 1],
    ]);
    for (const { check } of systems) expect(check.unchanged).toBe(true);
    expect(stderr).toMatch(/left out {2}test\/small {2}ql-dirichlet > bm25@2: its first stage has no run/);
    expect(json.mean.map((row: Record<string, unknown>) => row.tasks)).toEqual([1, 1, 1]);
    const unforced = systems.find(({ first }: Record<string, unknown>) => first === 'hybrid@unforced');
    expect(unforced.candidates.with).toMatchObject({ forcedRows: 0, depth: { min: 1, max: 1 } });
  });

  test('only those that are named, in any spelling, with the measures asked for', async () => {
    const root = await rootWith(pipelines);
    const { json } = await candidates(root, [task, '--systems', 'hybrid>lsa@2@100', '-m', 'MRR@5', '--pool', 'bm25']);
    expect(json.pool).toBe('bm25');
    expect(json.tasks[0].systems).toHaveLength(1);
    const measures = json.tasks[0].systems[0].values.map(({ measure }: Record<string, unknown>) => measure);
    expect([...new Set(measures)]).toEqual(['RR@5', 'R@5']);
    await expect(candidates(root, ['--systems', 'bm25'])).rejects.toMatchObject({ code: 'usage' });
  });

  test('a run that is cut at its depth has changed nothing', async () => {
    const root = await rootWith(['hybrid > lsa@2@100'], 1);
    const { code, json } = await candidates(root);
    expect(code).toBe(0);
    expect(json.tasks[0].systems[0].check.cutQueries).toBeGreaterThan(0);
  });

  test('a reranking with another document, or with one less, is an error and exit 1', async () => {
    const system = 'hybrid > lsa@2@100';
    const root = await rootWith([system]);
    const run = await readRun(join(root, runPath(task, system)));
    if (run === null) throw new Error('There is no run.');
    const stray = new Map(run.rankings).set(queryId('q2'), { docs: ['d', 'a'].map(docId), scores: [2, 1] });
    await writeRun(root, { ...run, rankings: stray });
    const { code, stderr, json } = await candidates(root);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /error {2}test\/small {2}hybrid > lsa@2@100: 1 documents that are no candidates, as a of query q2/,
    );
    expect(stderr).toMatch(/1 candidates are lost, as c of query q2/);
    expect(json.tasks[0].systems[0].check.unchanged).toBe(false);
    const short = new Map(run.rankings).set(queryId('q2'), { docs: [docId('c')], scores: [1] });
    await writeRun(root, { ...run, rankings: short });
    const again = await candidates(root, ['--quiet']);
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/CandidateRecall@2 differs, as for query q2/);
  });

  test('a pool that is not there and a run of another build are said, exit 1', async () => {
    const root = await rootWith(['hybrid > lsa@2@100']);
    const { code, stderr, json } = await candidates(root, ['--pool', 'splade']);
    expect([code, json.tasks[0].pool]).toEqual([1, null]);
    expect(stderr).toMatch(/no pool `splade`, only bm25, dense, hybrid/);
    await writeNanoSet(root, sealNanoSet(smallNano({ ...animals, queries: { ...animals.queries, q1: 'dog' } })));
    const stale = await candidates(root);
    expect([stale.code, stale.json.tasks[0].systems]).toEqual([1, []]);
    expect(stale.stderr).toMatch(/another build of this task/);
    await expect(candidates(temporaryFolder())).rejects.toMatchObject({ code: 'missing' });
  });

  test('as a table and as CSV', async () => {
    const root = await rootWith(['bm25', 'bm25 > proximity@2']);
    const table = await said(registerCandidates, ['candidates', '--out', root]);
    expect(table.stdout).toMatch(/^test\/small +with +3 +2 +1 +100\.0 % +4 \/ 4 +100\.0 % +1\.0000 @2$/m);
    expect(table.stdout).toMatch(/^bm25 > proximity@2 +1 +nDCG@10 +qrels +either /m);
    const csv = await said(registerCandidates, ['candidates', '--out', root, '--format', 'csv']);
    expect(csv.stdout.split('\n')[0]).toBe('system,task,measure,ideal,forced,first,reranked,oracle,headroom,captured');
    expect(csv.stdout.trim().split('\n')).toHaveLength(1 + 2 * 8);
    const bare = await rootWith(['bm25']);
    expect((await said(registerCandidates, ['candidates', '--out', bare])).stdout).toMatch(/No pipeline has a run/);
  });
});
