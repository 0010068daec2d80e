import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../../scripts/cli.js';
import { commands } from '../../scripts/commands/index.js';
import { temporaryFolder } from '../small-nano.js';
import { tenbinHere } from './here.js';
import { tenbin, tenbinJson } from './tenbin.js';

const names = (await createProgram(() => undefined)).commands.map((command) => command.name());

test('a command is found by its name alone, without the files of the others', async () => {
  expect(commands.flatMap((file) => file.names)).toEqual(names);
  const program = await createProgram(() => undefined, 'score');
  expect(program.commands.map((command) => command.name())).toEqual(['score']);
});

test('every command that the format page promises is there', () => {
  for (const name of [
    'build',
    'audit',
    'run',
    'export',
    'score',
    'board',
    'tasks',
    'systems',
    'measures',
    'sources',
    'analyzers',
    'models',
    'encode',
    'rerank',
    'cache',
  ]) {
    expect(names).toContain(name);
  }
});

test.each(names)('%s --help prints two examples, the common flags, and exits 0', async (name) => {
  const { code, stdout } = await tenbinHere(name, '--help');
  expect(code).toBe(0);
  expect(stdout.match(/^ {2}\$ tenbin /gm)?.length).toBeGreaterThanOrEqual(2);
  for (const flag of ['--format', '--out', '--jobs', '--quiet']) expect(stdout).toContain(flag);
});

/** What a command must be given before its flags are looked at. */
const required = new Map([
  ['encode', ['dense-tiny', '--texts', 'texts.jsonl']],
  ['rerank', ['ce-tiny', '--pairs', 'pairs.jsonl']],
  ['advise', ['--budget', 'bytesPerDoc<1']],
]);

test.each(names)('%s refuses an unknown flag in a few lines, with where help is, and exit code 2', async (name) => {
  const { code, stderr, stdout } = await tenbinHere(name, ...(required.get(name) ?? []), '--fromat', 'json');
  expect(code).toBe(2);
  expect(stderr).toContain("unknown option '--fromat'");
  expect(stderr).toContain('--format');
  expect(stderr).toContain(`See \`tenbin ${name} --help\`.`);
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3);
  expect(stdout).toBe('');
});

test('a wrong value of a flag is not scrolled away by the help', () => {
  const { code, stderr } = tenbin(['run', '--depth', 'deep']);
  expect(code).toBe(2);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/'--depth <n>' argument 'deep' is invalid.*1 to 100000/),
    'See `tenbin run --help`.',
  ]);
});

test.each([
  [['bord'], 'board'],
  [['board', 'demmo'], 'demo'],
  [['build', 'embedded-en/cwf'], 'embedded-en/cwe'],
  [['run', '--systems', 'bm52'], 'bm25'],
  [['board', '-m', 'ndgc@10'], 'nDCG@10'],
  [['build', 'demo', '--dense', 'lsq@256'], 'lsa'],
  [['build', '--source', 'npm:cwf', '--name', 'a/b'], 'npm:cwe'],
])('%j suggests what was meant and exits 2', (args, meant) => {
  const { code, stderr, stdout } = tenbin(args, { out: temporaryFolder() });
  expect(stderr).toContain(meant);
  expect(code).toBe(2);
  expect(stdout).toBe('');
});

test.each([
  ['build'],
  ['build', 'demo', '--queries', '0'],
  ['build', 'demo', '--queries', 'many'],
  ['build', '--source', 'npm:cwe'],
  ['build', '--source', 'npm:cwe', '--name', '../x'],
  ['board', '--format', 'yaml'],
  ['score'],
  [],
])('wrong use exits 2 and prints nothing on stdout: %j', (...args) => {
  const { code, stdout } = tenbin(args, { out: temporaryFolder() });
  expect(code).toBe(2);
  expect(stdout).toBe('');
});

test('--version prints the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(tenbin(['--version']).stdout.trim()).toBe(version);
});

test('listings are arrays with the promised fields', () => {
  const out = temporaryFolder();
  const tasks = tenbinJson(['tasks'], { out }).json;
  expect(tasks.length).toBeGreaterThan(60);
  expect(tasks[0]).toMatchObject({
    id: 'embedded-en/cwe',
    suite: 'embedded-en',
    language: 'en',
    domain: 'security',
    built: false,
  });
  expect(Object.keys(tasks[0])).toEqual(expect.arrayContaining(['licence', 'source']));
  const systems = tenbinJson(['systems'], { out }).json;
  for (const system of systems)
    expect(Object.keys(system)).toEqual(expect.arrayContaining(['id', 'family', 'summary', 'needs']));
  const measures = tenbinJson(['measures'], { out }).json;
  for (const measure of measures)
    expect(Object.keys(measure)).toEqual(expect.arrayContaining(['name', 'summary', 'range', 'source']));
  for (const listing of ['sources', 'analyzers']) expect(tenbinJson([listing], { out }).json.length).toBeGreaterThan(3);
});

test('an error is one line; a stack trace comes only when asked for', () => {
  const { code, stderr } = tenbin(['score', 'nowhere.txt', 'nowhere.run']);
  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain('nowhere.txt');
});

function scoreFolder(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test.each([
  ['q1 0 a x\n', 'q1 Q0 a 1 1.0 t\n', 'q.txt:1'],
  ['q1 0 a 1\n', 'q1 Q0 a 1 1.0 t\nq1 Q0 b 2\n', 'r.run:2'],
  ['q1 0 a 1\n', 'q1 Q0 a 1 NaN t\n', 'r.run:1'],
  ['q1 0 a 1\n', 'q1 Q0 a 1 1 t\nq1 Q0 a 2 0.5 t\n', 'r.run:2'],
  ['q1 0 a 1\n', 'q1 0 a 1\n', 'r.run'],
  ['', 'q1 Q0 a 1 1 t\n', 'q.txt'],
])('malformed score input %# names file and line and exits 1', (qrels, run, where) => {
  const cwd = scoreFolder({ 'q.txt': qrels, 'r.run': run });
  const { code, stderr, stdout } = tenbin(['score', 'q.txt', 'r.run', '--quiet'], { cwd });
  expect(stderr).toContain(where);
  expect(code).toBe(1);
  expect(stdout).toBe('');
});

test('compare --format json is the promised document, and slices of a file stand in it', () => {
  const cwd = scoreFolder({
    'q.txt': '1 0 a 1\n2 0 b 1\n3 0 c 1\n',
    'a.run': '1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n2 Q0 b 2 1 t\n',
    'b.run': '1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n2 Q0 b 1 2 t\n3 Q0 c 1 2 t\n',
    'slices.tsv': '2\tlate\n3\tlate\n',
  });
  const args = ['compare', '--qrels', 'q.txt', 'a.run', 'b.run', '-m', 'RR@10', '--slices', 'slices.tsv'];
  const { json, code } = tenbinJson(args, { cwd });
  expect(code).toBe(0);
  expect(json).toMatchObject({ base: 'a.run', candidate: 'b.run' });
  const [all, late] = json.comparisons;
  // Topic 3 is missing from a.run and counts with 0 there.
  expect(all).toMatchObject({ measure: 'RR@10', slice: 'all', n: 3, improved: 2, tied: 0, regressed: 1, tieRange: 0 });
  expect(all.base).toBeCloseTo(1 / 2, 12);
  expect(all.delta).toBeCloseTo((-1 / 2 + 1 / 2 + 1) / 3, 12);
  expect(all.worst).toEqual([{ query: '1', delta: -1 / 2, text: null, task: 'q.txt' }]);
  expect(late).toMatchObject({ slice: 'late', n: 2, delta: 3 / 4, regressed: 0 });
  for (const key of ['low', 'high', 'method', 'p', 'pAdjusted', 'dz', 'mde']) expect(all).toHaveProperty(key);
  expect(tenbin([...args, '--tasks', 'demo'], { cwd }).code).toBe(2);
  expect(tenbin([...args, '--confidence', '95'], { cwd }).code).toBe(2);
  for (const other of ['GMAP', 'NumRet']) {
    expect(tenbin([...args, '-m', other], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining(other) });
  }
  expect(tenbin(args, { cwd }).stderr).toContain('a.run: 1 of 3 topics are missing and count with 0');
  const nowhere = tenbin(['compare', 'bm25', 'tf-idf', '--tasks', 'embedded-code'], { cwd, out: cwd });
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('no task on which both') });
});

test('ties --format json is the promised document', () => {
  const cwd = scoreFolder({ 'q.txt': '1 0 a 1\n2 0 x 1\n', 'r.run': '1 Q0 b 1 1 t\n1 Q0 a 2 1 t\n' });
  const { json, code } = tenbinJson(['ties', 'q.txt', 'r.run', '-m', 'RR@10'], { cwd });
  expect(code).toBe(0);
  // RR of the tie is 1 or 1/2, and the second topic counts with 0.
  const measured = {
    expected: 3 / 8,
    min: 1 / 4,
    max: 1 / 2,
    range: 1 / 4,
    oblivious: { trec: 1 / 4, id: 1 / 2, input: 1 / 4 },
    bias: { trec: -1 / 8, id: 1 / 8, input: -1 / 8 },
  };
  expect(json.runs).toEqual([
    expect.objectContaining({
      run: 'r.run',
      precision: 'f64',
      queries: 2,
      tiedQueries: 1,
      distinctScores: 1 / 2,
      measures: { 'RR@10': measured },
    }),
  ]);
  expect(json.runs[0].byPrecision.map(({ precision }: { precision: string }) => precision)).toEqual([
    'f64',
    'f32',
    'bf16',
    'fp16',
  ]);
  for (const wrong of [['ties'], ['ties', 'q.txt'], ['ties', 'q.txt', 'r.run', '--tasks', 'demo']]) {
    expect(tenbin(wrong, { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('tenbin ties QRELS RUN') });
  }
});

test('score --format json is the promised document, with ties seen', () => {
  const cwd = scoreFolder({ 'q.txt': '1 0 a 1\n2 0 x 1\n', 'r.run': '1 Q0 b 1 1 t\n1 Q0 a 2 1 t\n' });
  const { json, code } = tenbinJson(['score', 'q.txt', 'r.run', '-m', 'RR@10', '-q'], { cwd });
  expect(code).toBe(0);
  expect(json).toEqual({
    qrels: 'q.txt',
    ties: 'expected',
    runs: [
      {
        run: 'r.run',
        queries: 2,
        missing: ['2'],
        mean: { 'RR@10': 0.375 },
        range: { 'RR@10': { min: 0.25, max: 0.5 } },
        perQuery: { '1': { 'RR@10': 0.75 }, '2': { 'RR@10': 0 } },
      },
    ],
  });
});

test('a run is read from stdin', () => {
  const cwd = scoreFolder({ 'q.txt': '1 0 a 1\n' });
  const { stdout } = tenbin(['score', 'q.txt', '-', '-m', 'RR', '--format', 'json'], { cwd, input: '1 Q0 a 1 1 t\n' });
  expect(JSON.parse(stdout).runs[0].mean).toEqual({ RR: 1 });
});

test('a folder where a file is wanted is one clear sentence', () => {
  const cwd = scoreFolder({ 'r.run': 'x' });
  mkdirSync(join(cwd, 'q.txt'));
  expect(tenbin(['score', 'q.txt', 'r.run'], { cwd }).stderr).toContain('A folder stands where a file is wanted');
});
