import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../core/digest.js';
import { taskId } from '../../core/ids.js';
import { parseImported } from '../../results/imports/imported.js';
import { scoreTask } from '../../results/store.js';
import { readRun, runPath, writeFailure } from '../../runners/store.js';
import { type Importing, importFile } from '../../scripts/import-file.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { writeNanoSet } from '../../tasks/store.js';
import { failure } from '../readers/bytes.js';
import { animals, smallNano, temporaryFolder } from '../small-nano.js';

const task = taskId('test/small');

async function place() {
  const out = temporaryFolder();
  await writeNanoSet(out, sealNanoSet(smallNano(animals)));
  const put = (name: string, text: string) => {
    const path = join(out, name);
    writeFileSync(path, text);
    return path;
  };
  const options = (more: Partial<Importing> = {}): Importing => ({
    out,
    renamed: new Map(),
    take: 'measures',
    written: new Map(),
    ...more,
  });
  return { out, put, options };
}

test('results are stored in the shape that the board reads, whatever the system is called', async () => {
  const { out, put, options } = await place();
  const file = put('b.tsv', 'nDCG@10\t0.41\nAP@100\t0.3\n');
  const system = '../../<script>alert(1)</script>';
  const [row] = await importFile(file, options({ task, system }));
  expect(row).toMatchObject({ format: 'ir_measures', kind: 'results', task, system });
  expect(row.path).toMatch(/^imported\/test\/small\/[\w=+-]+\.[0-9a-f]{10}\.json$/);
  const stored = parseImported(JSON.parse(readFileSync(join(out, row.path), 'utf8')), row.path);
  expect(stored).toEqual({
    schema: 'tenbin/imported@1',
    task,
    system,
    family: 'dense',
    origin: { format: 'ir_measures', file: 'b.tsv', digest: sha256(readFileSync(file)) },
    measures: { 'nDCG@10': { value: 0.41, n: null }, 'AP@100': { value: 0.3, n: null } },
  });
  expect(row.notes).toEqual(['the family is not in the file and taken as dense: --family says another']);
  const [again] = await importFile(file, options({ task, system, family: 'sparse' }));
  expect(again.notes).toEqual(['replaces what was imported before']);
  expect(readdirSync(join(out, 'imported/test/small'))).toHaveLength(1);
});

test('means over other queries than the task has are doubted', async () => {
  const { put, options } = await place();
  const file = put('b.tsv', 'q1\tRR\t1\nq2\tRR\t0\n');
  const [row] = await importFile(file, options({ task, system: 's', family: 'dense' }));
  expect(row.notes).toEqual(['the values of the queries are not kept', 'measured over 2 queries, and the task has 3']);
});

test('a run stands among the runs, marked, and is scored like ours', async () => {
  const { out, put, options } = await place();
  const file = put('r.run', 'q1 Q0 a 1 2 tag\nq1 Q0 b 2 1 tag\nq2 Q0 d 1 1 tag\nq3 Q0 a 1 1 tag\n');
  const [row] = await importFile(file, options({ task }));
  expect(row).toMatchObject({ kind: 'run', system: 'tag', path: runPath(task, 'tag') });
  const run = await readRun(join(out, row.path));
  expect(run?.conditions.imported).toEqual({
    format: 'TREC run',
    file: 'r.run',
    digest: sha256(readFileSync(file)),
    scores: 'as given',
  });
  const measures = ['nDCG@10', 'R@2'];
  const scored = await scoreTask({ root: out, task, measures: measures.slice(1), systems: null });
  expect([...(scored.systems[0].results.values.get('R@2')?.expected ?? [])]).toEqual([1, 1, 0]);
  const deeper = await scoreTask({ root: out, task, measures, systems: null });
  expect(deeper.leftOut[0]).toContain('2 documents deep');
  await importFile(file, options({ task, depth: 10 }));
  expect((await scoreTask({ root: out, task, measures, systems: null })).leftOut).toEqual([]);
});

test('a run of ours keeps its place', async () => {
  const { out, put, options } = await place();
  const digest = sha256('');
  await writeFailure(out, { task: { id: task, digest }, system: 'bm25', family: 'lexical', digest }, 'no');
  const file = put('r.run', 'q1 Q0 a 1 2 bm25\n');
  expect((await failure(importFile(file, options({ task })))).message).toContain(
    'A run of ours stands under that name: bm25',
  );
});

test('MTEB: the model is named beside the file, the part by the caller', async () => {
  const { out, put, options } = await place();
  mkdirSync(join(out, 'm'));
  put('m/model_meta.json', '{"name": "org/model", "max_tokens": Infinity}');
  const scores = (ndcg: number, hf_subset: string) => ({
    ndcg_at_10: ndcg,
    main_score: ndcg,
    hf_subset,
    languages: [],
  });
  const result = { task_name: 'T', scores: { test: [scores(0.1, 'en'), scores(0.2, 'ja')], dev: [scores(0.3, 'en')] } };
  const file = put('m/T.json', JSON.stringify(result));
  expect((await failure(importFile(file, options({ task })))).message).toMatch(
    /several splits or subsets.*test\/en, test\/ja, dev\/en/,
  );
  expect((await failure(importFile(file, options({ task, split: 'train' })))).message).toContain(
    'no such split or subset',
  );
  const [row] = await importFile(file, options({ task, split: 'test', subset: 'ja' }));
  expect([row.system, row.measures]).toEqual(['org/model', { 'nDCG@10': { value: 0.2, n: null } }]);
});

test('what the file does not say must be said, and the task must be one', async () => {
  const { put, options } = await place();
  const file = put('b.json', '{"NDCG@10": 0.5}');
  expect((await failure(importFile(file, options({ system: 's' })))).message).toMatch(/which task.*--task/);
  expect((await failure(importFile(file, options({ task })))).message).toMatch(/does not name the system.*--system/);
  const none = put('c.json', '[{"Hole@10": 0.5, "NDCG@10": null}]');
  expect((await failure(importFile(none, options({ task, system: 's' })))).message).toMatch(/no measure.*Hole@10/);
  const absent = taskId('no/where');
  expect((await importFile(file, options({ task: absent, system: 's' })))[0].notes).toContain(
    'the task no/where is not built here: the board shows it once it is',
  );
  const written = new Map<string, string>();
  await importFile(file, options({ task, system: 's', written }));
  expect((await failure(importFile(file, options({ task, system: 's', written })))).message).toContain(
    'Two files of this call',
  );
});
