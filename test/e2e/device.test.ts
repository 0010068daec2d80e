import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tenbin } from './tenbin.js';

let folder = '';
let out = '';

afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenbin-device-'));
  out = join(folder, 'out');
  writeFileSync(join(folder, 'texts.jsonl'), '{"id":"a","text":"x"}\n');
});

/** Runs the command line in a process that says at its end whether ONNX Runtime was loaded. */
function loadsOrt(args: readonly string[]): boolean {
  const script = [
    `const { main } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../dist/scripts/cli.js')).href)});`,
    `const code = await main(${JSON.stringify([...args, '--quiet'])});`,
    'const { sharedObjects } = process.report.getReport();',
    'const loaded = sharedObjects.some((path) => /onnxruntime/i.test(path));',
    'process.stderr.write(JSON.stringify({ code, loaded }));',
  ].join('\n');
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TENBIN_OUT: out },
    encoding: 'utf8',
  });
  const { code, loaded } = JSON.parse(stderr);
  expect(code).toBe(0);
  return loaded;
}

describe('--device', () => {
  const task = 'embedded-code/jsfn-rxjs';
  beforeAll(() => expect(tenbin(['build', task], { out }).code).toBe(0));

  test('is refused where it is not there, also where the vectors are in the cache', () => {
    const encode = ['encode', 'dense-tiny', '--texts', join(folder, 'texts.jsonl')];
    expect(tenbin(encode, { out }).code).toBe(0);
    const { code, stderr, stdout } = tenbin([...encode, '--device', 'cuda'], { out });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/device cannot be used.*cuda/);
  });

  test('is refused where it is not there, also when the run is current, and no record is written', () => {
    const run = (...flags: string[]) => tenbin(['run', '--systems', 'dense-tiny', '--tasks', task, ...flags], { out });
    expect(run().code).toBe(0);
    const refused = run('--device', 'cuda');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/device cannot be used.*cuda/);
    expect(run('--device', 'tpu').code).toBe(2);
    expect(run().stdout).toMatch(/dense-tiny +0 +1/);
  });

  test('costs a lexical run nothing', () => {
    expect(loadsOrt(['run', '--systems', 'bm25', '--tasks', task, '--force', '--device', 'cpu'])).toBe(false);
    // That the check can fail: a model whose vectors are not in the cache loads it.
    const fresh = ['--texts', join(folder, 'texts.jsonl'), '--out', join(folder, 'loads')];
    expect(loadsOrt(['encode', 'dense-tiny', ...fresh])).toBe(true);
  });
});
