import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { TenbinError } from '../../core/errors.js';
import { taskId } from '../../core/ids.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { scoreRun } from '../../results/score.js';
import { readRun, runPath } from '../../runners/store.js';
import { registerExport } from '../../scripts/commands/export.js';
import { registerReplay } from '../../scripts/commands/replay.js';
import { registerRun } from '../../scripts/commands/run.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { readNanoSet, writeNanoSet } from '../../tasks/store.js';
import { animals, smallNano, temporaryFolder } from '../small-nano.js';
import { said } from './command-line.js';

const task = taskId('test/small');

/** A root with one task, and its artifact. */
async function frozen() {
  const root = temporaryFolder();
  await writeNanoSet(root, sealNanoSet(smallNano(animals)));
  const file = join(root, 'hybrid.jsonl');
  const exported = await said(registerExport, ['export', task, '--to', 'replay', '--output', file, '--out', root]);
  return { root, file, exported };
}

async function replayed(root: string, args: readonly string[]) {
  const made = await said(registerReplay, ['replay', ...args, '--format', 'json', '--out', root]);
  return { ...made, json: JSON.parse(made.stdout) };
}

type Row = Readonly<Record<string, unknown>>;

const rowOf = (ranking: { mean: readonly Row[] }, measure: string, ideal = 'qrels', forced = 'with') =>
  ranking.mean.find((row) => row.measure === measure && row.ideal === ideal && row.forced === forced);

describe('tenbin export --to replay', () => {
  test('writes the artifact, to a file or to stdout, and says what it is', async () => {
    const { root, file, exported } = await frozen();
    expect(exported).toMatchObject({ code: 0, stdout: '' });
    expect(exported.stderr).toMatch(/1 tasks, 3 queries, digest [0-9a-f]{64}/);
    const printed = await said(registerExport, ['export', task, '--to', 'replay', '--out', root]);
    expect(printed.stdout).toBe(readFileSync(file, 'utf8'));
    const json = await said(registerExport, [
      ...['export', task, '--to', 'replay', '--pool', 'bm25', '--output', file],
      ...['--format', 'json', '--out', root],
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      pool: 'bm25',
      tasks: [task],
      counts: { queries: 3, candidates: 4 },
    });
  });

  test('refuses what it cannot do', async () => {
    const { root } = await frozen();
    const failing = (...args: string[]) => said(registerExport, ['export', ...args, '--out', root]);
    await expect(failing('embedded-en/cwe', '--to', 'replay')).rejects.toThrow(/embedded-en\/cwe.*not built/);
    await expect(failing(task, '--to', 'replay', '--format', 'json')).rejects.toMatchObject({ code: 'usage' });
    await expect(failing('some/run', '--pool', 'hybrid')).rejects.toMatchObject({ code: 'usage' });
    await expect(failing('some/run', 'other/run')).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('tenbin replay', () => {
  test('the frozen order alone: what the candidates hold and leave to be won', async () => {
    const { root, file } = await frozen();
    const { code, json } = await replayed(root, [file]);
    expect(code).toBe(0);
    expect(json.artifact).toMatchObject({ schema: 'tenbin/replay@1', pool: 'hybrid', counts: { queries: 3 } });
    expect(json.tasks[0].pool.with).toMatchObject({ queryCoverage: 1, forcedRows: 1, relevantCandidates: 4 });
    expect(json.tasks[0].pool.without).toMatchObject({ queryCoverage: 2 / 3, forcedRows: 0, relevantCandidates: 3 });
    const [order] = json.rankings;
    expect(order).toMatchObject({ name: 'frozen order', kind: 'frozen', complete: true });
    // q1 and q2 are in their best order; q3's only positive was forced in at rank 2.
    const first = (2 + 1 / Math.log2(3)) / 3;
    expect(rowOf(order, 'nDCG@10')?.first).toBeCloseTo(first, 12);
    expect(rowOf(order, 'nDCG@10')?.oracle).toBe(1);
    expect(rowOf(order, 'nDCG@10', 'qrels', 'without')).toMatchObject({
      first: 2 / 3,
      oracle: 2 / 3,
      capturedShare: null,
    });
  });

  test('a reranker of ours gives what the same pipeline gives in a run', async () => {
    const { root, file } = await frozen();
    const pipeline = 'hybrid > ce-tiny@100';
    await said(registerRun, ['run', '--systems', pipeline, '--out', root, '--jobs', '1', '--quiet']);
    const run = await readRun(join(root, runPath(task, pipeline)));
    const { judged } = await readNanoSet(root, task);
    const measures = ['nDCG@10', 'RR@10'].map(parseMeasure);
    const scores = scoreRun({ rankings: run?.rankings ?? new Map(), judged, measures }).totals;
    const systems = ['--systems', 'ce-tiny, ce-tiny', '-m', 'nDCG@10', '-m', 'RR@10'];
    const { json, code } = await replayed(root, [file, runPath(task, pipeline), ...systems]);
    expect(code).toBe(0);
    expect(json.rankings.map(({ name, kind }: Row) => [name, kind])).toEqual([
      ['frozen order', 'frozen'],
      ['ce-tiny', 'system'],
      [pipeline, 'run'],
    ]);
    for (const { name } of measures) {
      const expected = scores.get(name)?.expected;
      expect(expected).toBeGreaterThan(0);
      for (const ranking of json.rankings.slice(1)) expect(rowOf(ranking, name)?.reranked).toBe(expected);
    }
  });

  test('--depth keeps the best of each reranked list, and every candidate is reranked', async () => {
    const { root, file } = await frozen();
    const path = join(root, 'backwards.mjs');
    // The later a document stands in the frozen order, the better.
    const search = `const search = (_, k, among) => ({
      docs: among.slice().reverse().subarray(0, k),
      scores: Float64Array.from({ length: Math.min(k, among.length) }, (_, i) => -i),
    });`;
    const prepare = 'prepare: () => ({ search, bytes: 0, bytesPerDoc: 0 })';
    writeFileSync(path, `${search}\nexport const family = { family: 'reranker', ${prepare} };\n`);
    const ranked = async (...depth: string[]) => {
      const { code, json } = await replayed(root, [file, '--systems', path, '-m', 'RR@10', ...depth]);
      expect(code).toBe(0);
      const [order, own] = json.rankings;
      return { first: rowOf(order, 'RR@10')?.first, own: rowOf(own, 'RR@10')?.reranked, rows: own.tasks };
    };
    // q1: b, a (both relevant). q2: c, d (the second is). q3: c, a (the first is).
    expect(await ranked()).toMatchObject({ first: (1 + 1 + 1 / 2) / 3, own: (1 + 1 / 2 + 1) / 3 });
    expect(await ranked('--depth', '2')).toMatchObject({ own: (1 + 1 / 2 + 1) / 3, rows: [{ incomplete: 0 }] });
    // Had it been given the first candidate alone, q1 and q2 would have 1.
    const one = await ranked('--depth', '1');
    expect(one).toMatchObject({ first: (1 + 1 + 1 / 2) / 3, own: (1 + 0 + 1) / 3, rows: [{ incomplete: 3 }] });
  });

  test('what looks at all texts together is named, and only one stage can be', async () => {
    const { root, file } = await frozen();
    const { json, stderr, code } = await replayed(root, [file, '--systems', 'bm25, rrf(bm25, proximity)']);
    expect(code).toBe(0);
    expect(json.rankings.map(({ name }: Row) => name)).toEqual(['frozen order', 'bm25', 'rrf(bm25, proximity)']);
    expect(stderr).toMatch(/^bm25 looks at all texts together/m);
    const encoded = await replayed(root, [file, '--systems', 'dense-tiny, dense-tiny+int8']);
    expect(encoded.stderr).not.toMatch(/^dense-tiny looks/m);
    expect(encoded.stderr).toMatch(/^dense-tiny\+int8 looks/m);
    for (const wrong of ['hybrid > bm25@100', 'hybrid', 'no-such-model'])
      await expect(replayed(root, [file, '--systems', wrong])).rejects.toThrow(TenbinError);
  });

  test('a system that leaves its candidates fails, and does not end the others', async () => {
    const { root, file } = await frozen();
    const path = join(root, 'stray.mjs');
    const search = 'const search = () => ({ docs: Int32Array.of(3, 0), scores: Float64Array.of(2, 1) });';
    const prepare = 'prepare: () => ({ search, bytes: 0, bytesPerDoc: 0 })';
    writeFileSync(path, `${search}\nexport const family = { family: 'lexical', ${prepare} };\n`);
    const { json, code, stderr } = await replayed(root, [file, '--systems', `${path}, bm25`]);
    expect(code).toBe(1);
    expect(json.failures).toMatchObject([{ name: path, task }]);
    expect(stderr).toMatch(/^failed .*stray\.mjs/m);
    const complete = json.rankings.map(({ name, complete: all, mean }: { mean: Row[] } & Row) => [
      name,
      all,
      mean.length > 0,
    ]);
    expect(complete).toEqual([
      ['frozen order', true, true],
      [path, false, false],
      ['bm25', true, true],
    ]);
  });

  test('a run file from elsewhere, with gaps that are said', async () => {
    const { root, file } = await frozen();
    const path = join(root, 'my.run');
    writeFileSync(path, 'q1 Q0 b 1 2 x\nq1 Q0 a 2 1 x\nq3 Q0 c 1 9 x\nq7 Q0 c 1 9 x\n');
    const { json, stderr, code } = await replayed(root, [file, path]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/1 queries are missing and count with 0/);
    expect(stderr).toMatch(/1 queries rank only some/);
    expect(stderr).toMatch(/1 queries are not in the artifact/);
    const [, mine] = json.rankings;
    expect(mine.tasks[0]).toMatchObject({ missing: ['q2'], incomplete: 1 });
    const ofQ1 = (1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3));
    expect(rowOf(mine, 'nDCG@10')?.reranked).toBeCloseTo((ofQ1 + 0 + 1) / 3, 12);
    expect(rowOf(mine, 'nDCG@10')?.capturedShare).toBeLessThan(0);
  });

  test('a document that is no candidate is refused, or left out on request', async () => {
    const { root, file } = await frozen();
    const path = join(root, 'my.json');
    writeFileSync(path, JSON.stringify({ q1: { c: 3, a: 2, b: 1 }, q2: { d: 1, c: 0 }, q3: { c: 1, a: 0 } }));
    await expect(replayed(root, [file, path])).rejects.toThrow(/my\.json, test\/small, query q1, document c/);
    const { json } = await replayed(root, [file, path, '--drop-outside']);
    expect(rowOf(json.rankings[1], 'nDCG@10')?.capturedShare).toBe(1);
  });

  test('gzip is read, and one changed letter is refused before a model is asked', async () => {
    const { root, file } = await frozen();
    const text = readFileSync(file, 'utf8');
    writeFileSync(`${file}.gz`, gzipSync(text));
    const { json } = await replayed(root, [`${file}.gz`]);
    expect(json.artifact.digest).toBe((await replayed(root, [file])).json.artifact.digest);
    writeFileSync(file, text.replace('early bird', 'early word'));
    await expect(replayed(root, [file, '--systems', 'ce-tiny'])).rejects.toThrow(/hybrid\.jsonl:3, query q2/);
    writeFileSync(file, Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0x0a])]));
    await expect(replayed(root, [file])).rejects.toThrow(/not UTF-8: .*hybrid\.jsonl:5/);
    await expect(replayed(root, [join(root, 'none.jsonl')])).rejects.toThrow(/no such file/);
  });

  test('as a table and as CSV', async () => {
    const { root, file } = await frozen();
    const table = await said(registerReplay, ['replay', file, '--out', root]);
    expect(table.stdout).toMatch(/frozen order +nDCG@10 +qrels +with +0\.8770 +0\.8770 +1\.0000 +0\.1230 +0\.0 %/);
    const csv = await said(registerReplay, ['replay', file, '--out', root, '--format', 'csv']);
    const [head, row] = csv.stdout.split('\n');
    expect(head).toBe('ranking,kind,task,measure,ideal,forced,first,reranked,oracle,headroom,captured');
    expect(row).toMatch(/^frozen order,frozen,test\/small,nDCG@10,qrels,with,0\.87\d+,0\.87\d+,1,0\.12\d+,0$/);
  });
});
