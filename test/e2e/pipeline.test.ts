import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../small-nano.js';
import { entry, tenbin, tenbinJson } from './tenbin.js';

const hostileIds = [
  '../x',
  '__proto__',
  'constructor',
  'x'.repeat(10_000),
  '😀',
  '<script>alert(1)</script>',
  'a\tb',
  'a\nb',
  '=cmd()',
  '|',
];

/** A collection in BEIR layout whose ids are hostile; `order` shuffles its lines. */
function hostileCollection(order: <T>(rows: T[]) => T[] = (rows) => rows): string {
  const folder = join(temporaryFolder(), 'hostile');
  mkdirSync(join(folder, 'qrels'), { recursive: true });
  const docs = hostileIds.map((_id, i) => ({ _id, title: `Title ${i}`, text: `word${i} common text number ${i % 3}` }));
  const queries = hostileIds.map((_id, i) => ({ _id, text: `word${i} common` }));
  const lines = (rows: readonly unknown[]) => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
  writeFileSync(join(folder, 'corpus.jsonl'), lines(order(docs)));
  writeFileSync(join(folder, 'queries.jsonl'), lines(order(queries)));
  // A tab or newline cannot stand in a tsv field as it is: those ids are judged through quoted fields.
  const quoted = (id: string) => (/[\t\n"]/.test(id) ? `"${id.replaceAll('"', '""')}"` : id);
  const rows = order(hostileIds.map((id) => `${quoted(id)}\t${quoted(id)}\t2`).filter((row) => !row.includes('\n')));
  writeFileSync(join(folder, 'qrels/test.tsv'), `query-id\tcorpus-id\tscore\n${rows.join('\n')}\n`);
  return folder;
}

/** Path → sha256 of every file below a folder, temporary ones included. */
function treeOf(folder: string, below = ''): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(join(folder, below)).map((name) => {
      const path = join(below, name);
      if (statSync(join(folder, path)).isDirectory()) return treeOf(folder, path);
      return {
        [path]: createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex'),
      };
    }),
  );
}

test('hostile ids go through build, run, board, audit, score and export', () => {
  const out = temporaryFolder();
  const source = hostileCollection();
  const built = tenbinJson(['build', '--source', `beir:${source}`, '--name', 'mine/hostile', '--language', 'en'], {
    out,
  });
  expect(built.json.tasks).toEqual([
    { task: 'mine/hostile', status: 'built', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  const { json, code } = tenbinJson(['run', '--tasks', 'mine', '--systems', 'bm25, lsa@4+binary, hybrid > bm25@100'], {
    out,
  });
  expect(code).toBe(0);
  expect(json.runs.map((run: { status: string }) => run.status)).toEqual(['complete', 'complete', 'complete']);
  const board = tenbinJson(['board', 'mine'], { out }).json;
  expect(board.systems[0].complete).toBe(true);
  expect(board.systems[0].micro['nDCG@10'].value).toBeGreaterThan(0.9);
  expect(tenbinJson(['audit', 'mine'], { out }).json.tasks[0].task).toBe('mine/hostile');
  const path = json.runs[0].path;
  const scored = tenbinJson(['score', join(out, 'nano/mine/qrels/hostile.parquet'), path, '-q'], { out }).json;
  expect(Object.hasOwn(scored.runs[0].perQuery, '__proto__')).toBe(true);
  expect(Object.keys(JSON.parse(tenbin(['export', path, '--to', 'json'], { out }).stdout))).toContain('../x');
  const refused = tenbin(['export', path, '--to', 'trec'], { out });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('white space');
});

test('the same collection in another order of lines builds the same bytes', () => {
  const trees = [hostileCollection(), hostileCollection((rows) => [...rows].reverse())].map((source) => {
    const out = temporaryFolder();
    expect(tenbin(['build', '--source', `beir:${source}`, '--name', 'mine/hostile'], { out }).code).toBe(0);
    return treeOf(out);
  });
  expect(trees[1]).toEqual(trees[0]);
});

test('building twice gives the same bytes, the second time at once; --force too', () => {
  const out = temporaryFolder();
  const args = ['build', 'embedded-code/jsfn-rxjs', '--queries', '20', '--dense', 'lsa@16'];
  expect(tenbinJson(args, { out }).json.tasks[0].status).toBe('built');
  const first = treeOf(out);
  expect(tenbinJson(args, { out }).json.tasks[0].status).toBe('current');
  expect(tenbinJson([...args, '--force'], { out }).json.tasks[0].status).toBe('built');
  expect(treeOf(out)).toEqual(first);
  expect(tenbinJson([...args, '--seed', '18'], { out }).json.tasks[0].status).toBe('built');
  expect(treeOf(out)).not.toEqual(first);
});

/** Starts a command and ends it as soon as so many more files are there than before; its exit code, null when killed. */
async function endAt(args: readonly string[], out: string, moreFiles: number, signal: 'SIGKILL' | 'SIGINT') {
  const before = Object.keys(treeOf(out)).length;
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...process.env, TENBIN_OUT: out },
    stdio: 'ignore',
  });
  let exit: number | null | undefined;
  const gone = new Promise<void>((resolve) =>
    child.once('exit', (code) => {
      exit = code;
      resolve();
    }),
  );
  while (exit === undefined && countFiles(out) < before + moreFiles) await pause(5);
  child.kill(signal);
  await gone;
  return exit;
}

/** Files come and go while they are counted. */
function countFiles(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
}

test('killed anywhere and started again, a build and its runs end in the same bytes', async () => {
  const build = ['build', 'embedded-code', '--queries', '10', '--dense', 'lsa@8', '--quiet'];
  const run = ['run', '--systems', 'bm25, lsa@8', '--quiet'];
  const withoutTiming = (tree: Record<string, string>) =>
    Object.fromEntries(Object.entries(tree).filter(([path]) => !path.endsWith('run.json')));
  const whole = temporaryFolder();
  tenbin(build, { out: whole });
  tenbin(run, { out: whole });
  const killed = temporaryFolder();
  for (const files of [1, 5, 7]) expect(await endAt(build, killed, files, 'SIGKILL')).toBeNull();
  expect(tenbin(build, { out: killed }).code).toBe(0);
  for (const files of [1, 5]) expect(await endAt(run, killed, files, 'SIGKILL')).toBeNull();
  expect(tenbin(run, { out: killed }).code).toBe(0);
  expect(withoutTiming(treeOf(killed))).toEqual(withoutTiming(treeOf(whole)));
}, 240_000);

test('SIGINT ends with 130', async () => {
  expect(await endAt(['build', 'embedded-code', '--quiet'], temporaryFolder(), 1, 'SIGINT')).toBe(130);
});

test('one failed task does not end the night, and the exit code tells', () => {
  const out = temporaryFolder();
  tenbin(['build', 'embedded-code/jsfn-rxjs', 'embedded-code/jsfn-ramda', '--queries', '10', '--dense', 'lsa@8'], {
    out,
  });
  const corpus = join(out, 'nano/embedded-code/corpus/jsfn-ramda.parquet');
  writeFileSync(corpus, readFileSync(corpus).fill(7, 20, 24));
  const { code, json } = tenbinJson(['run', '--systems', 'bm25, bm25+int8'], { out });
  expect(code).toBe(1);
  const statuses = json.runs.map((run: { task: string; status: string }) => `${run.task} ${run.status}`);
  expect(statuses).toEqual(
    [
      'embedded-code/jsfn-ramda failed',
      'embedded-code/jsfn-ramda failed',
      'embedded-code/jsfn-rxjs complete',
      'embedded-code/jsfn-rxjs refused',
    ].sort((a, b) => statuses.indexOf(a) - statuses.indexOf(b)),
  );
  expect(json.runs.find((run: { status: string }) => run.status === 'failed').reason).toContain(
    'corpus/jsfn-ramda.parquet',
  );
  const board = tenbinJson(['board', 'embedded-code/jsfn-rxjs'], { out });
  expect(board.code).toBe(0);
  expect(board.json.systems.map((system: { id: string }) => system.id)).toEqual(['bm25']);
});

test('a damaged neighbour, a taken name, an empty selection and a board without runs are each said', () => {
  const out = temporaryFolder();
  const build = ['build', 'embedded-code/jsfn-rxjs', '--queries', '10', '--dense', 'lsa@8'];
  tenbin(build, { out });
  writeFileSync(join(out, 'nano/embedded-code/manifests/broken.json'), 'garbage');
  expect(tenbinJson([...build, '--force'], { out })).toMatchObject({ code: 0, json: { tasks: [{ status: 'built' }] } });
  const taken = tenbin(['build', '--source', 'beir:nowhere', '--name', 'embedded-code/jsfn-rxjs'], { out });
  expect(taken.code).toBe(2);
  expect(taken.stderr).toContain('ships with tenbin');
  const missing = tenbinJson(['build', '--source', 'beir:nowhere', '--name', 'mine/x'], { out });
  expect(missing).toMatchObject({ code: 1, json: { tasks: [{ task: 'mine/x', status: 'failed' }] } });
  expect(tenbin(['board', 'demo', '!demo'], { out }).code).toBe(2);
  const empty = tenbin(['board', 'embedded-code/jsfn-rxjs'], { out });
  expect(empty).toMatchObject({ code: 1, stdout: '' });
  expect(existsSync(join(out, 'board'))).toBe(false);
  const { path } = tenbinJson(['run', '--systems', 'bm25', '--tasks', 'embedded-code/jsfn-rxjs'], { out }).json.runs[0];
  expect(tenbin(['board', 'embedded-code/jsfn-rxjs', '--systems', 'bm25, lsa@8'], { out }).stderr).toContain(
    'no runs, left out: lsa@8',
  );
  writeFileSync(join(out, path, 'run.json'), '{');
  expect(tenbin(['board', 'embedded-code/jsfn-rxjs'], { out })).toMatchObject({ code: 1 });
  expect(tenbin(['run', '--systems', '', '--tasks', 'embedded-code/jsfn-rxjs'], { out }).code).toBe(2);
});

test('a full disk ends in one clear sentence, nothing half-written', ({ skip }) => {
  const out = temporaryFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', out]).status === 0;
  if (!mounted) skip('a small file system cannot be mounted here (needs root)');
  try {
    const { code, json } = tenbinJson(['build', 'embedded-code/jsfn-rxjs', '--queries', '20', '--dense', 'lsa@16'], {
      out,
    });
    expect(code).toBe(1);
    expect(json.tasks[0].error).toContain('The disk is full');
    expect(existsSync(join(out, 'nano/embedded-code/manifests/jsfn-rxjs.json'))).toBe(false);
    expect(Object.keys(treeOf(out)).filter((path) => path.includes('jsfn-rxjs'))).toEqual([]);
  } finally {
    spawnSync('umount', [out]);
    rmSync(out, { recursive: true, force: true });
  }
});
