import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseBaseline } from '../../results/baseline.js';
import { registerGate } from '../../scripts/commands/gate.js';
import { said } from '../replay/command-line.js';
import { accepted, allFirst, allSecond, gate, policyText, removeRun, runOf, smallWorld } from './small-world.js';

const rr = '{measure: RR, drop: 0.01}';
const baselineAt = (path: string) => parseBaseline(JSON.parse(readFileSync(path, 'utf8')), path);

/** A baseline of two systems on one task, the first of which got worse since. */
async function changed() {
  const world = await smallWorld();
  for (const system of ['bm25', 'ql-dirichlet']) await runOf(world, allFirst, { system });
  world.write('gate.yaml', policyText(rr, 'system: [bm25, ql-dirichlet]'));
  const first = await accepted(world);
  world.write('gate.yaml', policyText(rr));
  await runOf(world, allSecond);
  await runOf(world, allSecond, { system: 'ql-dirichlet' });
  return { world, first };
}

describe('the first baseline', () => {
  test('is written where the policy says', async () => {
    const { world, first } = await changed();
    const path = world.path('baseline.json');
    expect(first).toMatchObject({ code: 0, path, reason: 'the first', replaces: null, lost: [] });
    const baseline = baselineAt(path);
    expect(baseline).toMatchObject({ digest: first.digest, accepted: { reason: 'the first', replaces: null } });
    expect(baseline.systems.map(({ id }) => id)).toEqual(['bm25', 'ql-dirichlet']);
  });
});

describe('the second', () => {
  test('is written beside the first, which stays as it is byte for byte', async () => {
    const { world, first } = await changed();
    const before = world.read('baseline.json');
    expect((await gate(world)).code).toBe(1);
    const second = await accepted(world, '新しい tokenizer');
    expect(basename(second.path)).toBe(`baseline.${second.digest.slice(0, 12)}.json`);
    expect(basename(second.path)).toMatch(/^baseline\.[0-9a-f]{12}\.json$/);
    expect(dirname(second.path)).toBe(world.folder);
    expect(world.read('baseline.json').equals(before)).toBe(true);
    expect(second.replaces).toBe(first.digest);
    const baseline = baselineAt(second.path);
    expect(baseline.accepted).toEqual({ reason: '新しい tokenizer', replaces: first.digest });
    const other = (of: typeof baseline) => of.systems.find(({ id }) => id === 'ql-dirichlet');
    expect(other(baseline)).toEqual(other(baselineAt(world.path('baseline.json'))));
  });

  test('lets the candidate pass with a delta of 0; the first still does not', async () => {
    const { world } = await changed();
    const { path } = await accepted(world, 'reviewed');
    const { code, json } = await gate(world, ['--baseline', path]);
    expect([code, json.verdict]).toEqual([0, 'pass']);
    expect(json.checks[0]).toMatchObject({ delta: 0, low: 0, high: 0, base: 0.5, candidate: 0.5 });
    expect((await gate(world)).code).toBe(1);
  });

  test('may be followed by a third, whose name has one digest', async () => {
    const { world } = await changed();
    const second = await accepted(world, 'second');
    await runOf(world, allFirst);
    const third = await accepted(world, 'third', ['--baseline', second.path]);
    expect(third.replaces).toBe(second.digest);
    expect(basename(third.path)).toBe(`baseline.${third.digest.slice(0, 12)}.json`);
  });

  test('keeps the measures of the first, and names tasks that it lacks', async () => {
    const { world } = await changed();
    await runOf(world, allFirst, { task: 'small/ja' });
    const both = await accepted(world, 'both tasks');
    removeRun(world, 'small/ja');
    world.write('gate.yaml', policyText('{measure: P@1, drop: 0.01}'));
    const args = ['--accept', '--reason', 'one task', '--baseline', both.path];
    const { json, stderr } = await gate(world, args);
    expect(json.accepted.lost).toEqual([{ system: 'bm25', tasks: ['small/ja'] }]);
    expect(stderr).toContain('bm25: the new baseline lacks small/ja');
    const [{ tasks }] = baselineAt(json.accepted.path).systems;
    expect(Object.keys(tasks[0].values).sort()).toEqual(['P@1', 'RR']);
  });
});

describe('nothing is written', () => {
  const files = (folder: string) => readdirSync(folder).sort();

  test('of an out/ folder without runs, be there a baseline or not', async () => {
    const world = await smallWorld();
    world.write('gate.yaml', policyText(rr));
    await expect(accepted(world)).rejects.toMatchObject({ code: 'refused' });
    expect(files(world.folder)).toEqual(['gate.yaml', 'out']);
    const { world: other } = await changed();
    removeRun(other, 'small/en');
    await expect(accepted(other, 'none')).rejects.toMatchObject({ code: 'refused' });
    expect(files(other.folder)).toEqual(['baseline.json', 'gate.yaml', 'out']);
  });

  test.each([
    [['--accept', '--reason', '']],
    [['--accept', '--reason', ' \t\n']],
    [['--accept']],
    [['--reason', 'without the other']],
  ])('%j is wrong use', async (args) => {
    const { world } = await changed();
    await expect(gate(world, args)).rejects.toMatchObject({ code: 'usage' });
    expect(files(world.folder)).toEqual(['baseline.json', 'gate.yaml', 'out']);
  });

  test('where the old baseline is damaged', async () => {
    const { world } = await changed();
    const text = world.read('baseline.json').toString().replace('"decimals": 4', '"decimals": 5');
    world.write('baseline.json', text);
    await expect(accepted(world, 'over it')).rejects.toMatchObject({ code: 'damaged' });
    expect(world.read('baseline.json').toString()).toBe(text);
    expect(files(world.folder)).toEqual(['baseline.json', 'gate.yaml', 'out']);
  });
});

test('without --format json the path and the digest are said, and on stderr what to change in the policy', async () => {
  const { world } = await changed();
  const args = ['gate', world.path('gate.yaml'), '--accept', '--reason', 'reviewed'];
  const { code, stdout, stderr } = await said(registerGate, args);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^wrote .*baseline\.[0-9a-f]{12}\.json, digest [0-9a-f]{64}\n$/);
  expect(stderr).toContain('let its key `baseline` name the new file');
});
