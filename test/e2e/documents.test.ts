import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);
const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts);

function blocks(page: string, language: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, named]) => named === language)
    .map(([, , body = '']) => body);
}

/** A folder in which `tenbin` is a command and a package. */
function workplace({ onTestFinished }: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'tenbin-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/tenbin'));
  writeFileSync(
    join(bin, 'tenbin'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist/scripts/tenbin.js')}" "$@"\n`,
  );
  chmodSync(join(bin, 'tenbin'), 0o755);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, NO_COLOR: '1', TENBIN_OUT: './out' };
  return { folder, env };
}

/** A block whose first line is a comment with a file's name is that file: the commands of its page use it. */
function writeNamedModules(page: string, folder: string): void {
  for (const body of blocks(page, 'js')) {
    const name = fileNameOf(body);
    if (name !== undefined) writeFileSync(join(folder, name), body);
  }
}

function fileNameOf(body: string): string | undefined {
  return /^\/\/ ([\w-]+\.mjs)\b/.exec(body)?.[1];
}

/** npm's own commands would install and test the product inside its test: of those, only the names are checked. */
const isNpm = (line: string) => /^npm (ci|test|run|install)\b/.test(line.trim());

test('every npm script that a page names exists', () => {
  const named = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/npm run (?:-s )?([\w-]+)/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) expect(scripts).toContain(name);
});

/** Pages that show how a task is built do it from nothing; to the others its nano-set and vectors are given. */
const fromNothing: ReadonlySet<string> = new Set(['README.md', 'docs/build.md', 'docs/run.md']);
let given = '';

beforeAll(() => {
  given = mkdtempSync(join(tmpdir(), 'tenbin-given-'));
  const tenbin = (...args: readonly string[]) =>
    execFileSync(process.execPath, [join(root, 'dist/scripts/tenbin.js'), ...args, '--quiet'], {
      cwd: given,
      env: { ...process.env, TENBIN_OUT: './out' },
    });
  tenbin('build', 'embedded-code/jsfn-rxjs', 'embedded-code/jsfn-ramda');
  tenbin('run', '--systems', 'lsa@256, dense-tiny', '--tasks', 'embedded-code/jsfn-rxjs');
  rmSync(join(given, 'out/runs'), { recursive: true });
}, 300_000);

afterAll(() => rmSync(given, { recursive: true, force: true }));

/** A page is processes alone, so two of them may run at once. */
const run = promisify(execFile);
const limitMs = 300_000;

describe.concurrent('the commands of', () => {
  test.for(pages.filter((page) => blocks(page, 'sh').length > 0))(
    '%s run',
    { timeout: limitMs },
    async (page, context) => {
      const { folder, env } = workplace(context);
      writeNamedModules(page, folder);
      if (!fromNothing.has(page)) cpSync(join(given, 'out'), join(folder, 'out'), { recursive: true });
      const lines = blocks(page, 'sh')
        .join('\n')
        .split('\n')
        .filter((line) => !isNpm(line));
      const script = ['set -euo pipefail', ...lines].join('\n');
      await context
        .expect(run('bash', ['-c', script], { cwd: folder, env, maxBuffer: 2 ** 28 }))
        .resolves.toBeDefined();
    },
  );
});

/** Blocks that are programs of their own, as against files that a page's commands use. */
const programs = (page: string): string[] => blocks(page, 'js').filter((body) => fileNameOf(body) === undefined);

describe.concurrent('the code of', () => {
  test.for(pages.filter((page) => programs(page).length > 0))(
    '%s runs',
    { timeout: limitMs },
    async (page, context) => {
      const { folder, env } = workplace(context);
      for (const [i, code] of programs(page).entries()) {
        const path = join(folder, `example-${i}.mjs`);
        writeFileSync(path, code);
        const { stdout } = await run(process.execPath, [path], { cwd: folder, env });
        context.expect(stdout).toMatch(/\d/);
      }
    },
  );
});
