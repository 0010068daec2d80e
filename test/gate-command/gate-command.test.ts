import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { registerBoard } from '../../scripts/commands/board.js';
import { registerGate } from '../../scripts/commands/gate.js';
import { xmlFault } from '../gate/xml.js';
import { said } from '../replay/command-line.js';
import {
  accepted,
  allFirst,
  allSecond,
  gate,
  policyText,
  type Ranks,
  removeRun,
  runOf,
  smallWorld,
  trecQrels,
  trecRun,
} from './small-world.js';

const rr = '{measure: RR, drop: 0.01}';
/** Deltas of RR to all first: −0.5 for two queries, 0 for ten. */
const twoSecond: Ranks = allFirst.map((_, i) => (i < 2 ? 2 : 1));

beforeEach(() => {
  vi.stubEnv('GITHUB_ACTIONS', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Both tasks with all relevant documents on top, accepted as the baseline. */
async function guarded(checks = rr, more?: string) {
  const world = await smallWorld();
  for (const task of ['small/en', 'small/ja']) await runOf(world, allFirst, { task });
  world.write('gate.yaml', policyText(checks, more));
  await accepted(world);
  return world;
}

describe('an out/ folder against a baseline file', () => {
  test('that says the same passes: exit 0', async () => {
    const { code, json, stderr } = await gate(await guarded());
    expect([code, json.verdict, stderr]).toEqual([0, 'pass', '']);
    expect(json.checks[0]).toMatchObject({ base: 1, candidate: 1, delta: 0, n: 24, system: null });
  });

  test('that is worse has regressed: exit 1, and the queries are named', async () => {
    const world = await guarded();
    await runOf(world, allSecond);
    const { code, json } = await gate(world);
    expect([code, json.verdict]).toEqual([1, 'regressed']);
    expect(json.checks[0]).toMatchObject({ base: 1, candidate: 0.75, delta: -0.25, counts: { worse: 12, tied: 12 } });
    expect(json.checks[0].worst[0]).toMatchObject({ task: 'small/en', delta: -0.5, text: 'text of q0' });
  });

  test('that lacks a task of the baseline is missing: exit 3, or 0 where the policy only warns', async () => {
    const world = await guarded();
    removeRun(world, 'small/ja');
    const { code, json, stderr } = await gate(world);
    expect([code, json.verdict]).toEqual([3, 'missing']);
    expect(json.checks[0].reason).toMatch(/^a task is missing: small\/ja/);
    expect(stderr).toContain('small/ja is missing');
    world.write('gate.yaml', policyText(rr, 'system: bm25\nonMissing: warn'));
    const warned = await gate(world);
    expect([warned.code, warned.json.verdict]).toEqual([0, 'missing']);
    expect(warned.json.warnings[0]).toContain('small/ja is missing');
    expect(warned.stderr).toContain('small/ja is missing');
    await runOf(world, allSecond);
    expect((await gate(world)).code).toBe(1);
  });

  test('whose queries cannot decide is inconclusive: exit 0, or 3 where the policy fails it', async () => {
    const world = await guarded();
    await runOf(world, twoSecond);
    const { code, json } = await gate(world);
    expect([code, json.verdict]).toEqual([0, 'inconclusive']);
    expect(json.checks[0].nNeeded).toBeGreaterThan(24);
    world.write('gate.yaml', policyText(rr, 'system: bm25\nonInconclusive: fail'));
    expect((await gate(world)).code).toBe(3);
  });

  test('is missing a measure that the baseline does not hold; the others are judged', async () => {
    const world = await guarded();
    world.write('gate.yaml', policyText(`${rr}, {measure: P@1, drop: 0.01}`));
    const { code, json } = await gate(world);
    expect([code, json.verdict]).toEqual([3, 'missing']);
    expect(json.checks.map(({ verdict }: Record<string, unknown>) => verdict)).toEqual(['pass', 'missing']);
    expect(json.checks[1].reason).toContain('the baseline has no P@1');
    world.write('gate.yaml', policyText(`${rr}, {measure: P@1, drop: 0.01}`, 'system: bm25\nonMissing: warn'));
    expect((await gate(world)).code).toBe(0);
  });

  test('is asked of slices and costs, too', async () => {
    const world = await guarded(`{measure: RR, drop: 0.01, slice: "language:ja"}, {cost: bytesPerDoc, rise: 10%}`);
    await runOf(world, allSecond);
    const { code, json } = await gate(world);
    expect(code).toBe(0);
    expect(json.checks[0]).toMatchObject({ slice: 'language:ja', n: 12, verdict: 'pass' });
    expect(json.checks[1]).toMatchObject({ cost: 'bytesPerDoc', base: 16, candidate: 16, budget: 1.6 });
  });
});

describe('the tasks of a baseline file', () => {
  test('are those that selectors name, in the policy or on the command line', async () => {
    const world = await guarded();
    await runOf(world, allSecond, { task: 'small/ja' });
    expect((await gate(world)).json.checks[0].n).toBe(24);
    const { code, json } = await gate(world, ['--tasks', 'language:en']);
    expect([code, json.checks[0].n]).toEqual([0, 12]);
    world.write('gate.yaml', policyText(rr, 'system: bm25\ntasks: [small/ja]'));
    const ofPolicy = await gate(world);
    expect([ofPolicy.code, ofPolicy.json.checks[0].n]).toEqual([1, 12]);
    expect((await gate(world, ['--tasks', '!small/ja'])).code).toBe(0);
    await expect(gate(world, ['--tasks', 'small/fr'])).rejects.toThrow('small/fr');
  });

  test('are missing where the selector names one that the candidate has no run of', async () => {
    const world = await guarded();
    removeRun(world, 'small/ja');
    expect((await gate(world, ['--tasks', 'small/en'])).code).toBe(0);
    expect((await gate(world, ['--tasks', 'small/ja'])).code).toBe(3);
  });
});

describe('several systems', () => {
  test('are each held to every check, and named', async () => {
    const world = await smallWorld();
    for (const system of ['bm25', 'ql-dirichlet']) await runOf(world, allFirst, { system });
    world.write('gate.yaml', policyText(rr, 'system: [bm25, ql-dirichlet]'));
    expect((await accepted(world)).code).toBe(0);
    await runOf(world, allSecond, { system: 'ql-dirichlet' });
    const { code, json } = await gate(world);
    expect(code).toBe(1);
    expect(json.checks.map((check: Record<string, unknown>) => [check.system, check.verdict])).toEqual([
      ['bm25', 'pass'],
      ['ql-dirichlet', 'regressed'],
    ]);
  });

  test('one on each side, and what is accepted stands under its own name', async () => {
    const world = await guarded(rr, 'system: {baseline: bm25, candidate: bm25}');
    await runOf(world, allSecond, { system: 'ql-dirichlet' });
    await runOf(world, allSecond, { system: 'ql-dirichlet', task: 'small/ja' });
    expect((await gate(world)).code).toBe(0);
    world.write('gate.yaml', policyText(rr, 'system: {baseline: bm25, candidate: ql-dirichlet}'));
    const { code, json } = await gate(world);
    expect(code).toBe(1);
    expect(json.checks[0]).toMatchObject({ system: null, base: 1, candidate: 0.5 });
    const { path } = await accepted(world, 'the other one is in production');
    const systems = JSON.parse(world.read(path.slice(world.folder.length)).toString()).systems;
    expect(systems.map(({ id }: Record<string, unknown>) => id)).toEqual(['bm25', 'ql-dirichlet']);
  });

  test('that no policy names are asked for, unless a file holds only one', async () => {
    const world = await guarded();
    world.write('gate.yaml', policyText(rr, ''));
    expect((await gate(world)).code).toBe(0);
    await expect(gate(world, ['--baseline', world.out])).rejects.toMatchObject({ code: 'usage' });
    world.write('gate.yaml', policyText(rr, 'system: ql-dirichlet'));
    await expect(gate(world)).rejects.toThrow('`bm25`');
  });
});

describe('run files', () => {
  async function runFiles(candidate: string) {
    const world = await smallWorld();
    world.write('data/qrels.txt', trecQrels);
    world.write('runs/old.run', trecRun(allFirst));
    world.write('runs/new.run', candidate);
    const sides = 'qrels: ../data/qrels.txt\nbaseline: ../runs/old.run\ncandidate: ../runs/new.run\nresamples: 200\n';
    world.write('policies/gate.yaml', `${sides}checks: [${rr}]\n`);
    return { ...world, path: (name: string) => world.path(join('policies', name)) };
  }

  test('are judged by qrels, paths relative to the policy', async () => {
    const { code, json } = await gate(await runFiles(trecRun(allFirst)));
    expect([code, json.verdict, json.checks[0].n]).toEqual([0, 'pass', 12]);
    expect((await gate(await runFiles(trecRun(allSecond)))).code).toBe(1);
  });

  test('count topics that they lack with 0, and are missing where they have none', async () => {
    const half = await gate(await runFiles(trecRun(allFirst.slice(0, 6))));
    expect(half.json.checks[0]).toMatchObject({ n: 12, candidate: 0.5 });
    expect(half.stderr).toContain('6 of 12 topics are missing');
    const none = await gate(await runFiles(trecRun(allFirst).replaceAll('q', 'other')));
    expect([none.code, none.json.verdict]).toEqual([3, 'missing']);
  });

  test('become a baseline under their own name; without qrels they are wrong use', async () => {
    const world = await runFiles(trecRun(allSecond));
    const { code, path, replaces } = await accepted(world);
    expect([code, replaces]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const again = await gate(world, ['--baseline', path]);
    expect(again.json.checks[0]).toMatchObject({ delta: 0, base: 0.5, n: 12 });
    const files = 'baseline: ../runs/old.run\ncandidate: ../runs/new.run\n';
    world.write('policies/gate.yaml', `${files}checks: [${rr}]\n`);
    await expect(gate(world)).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('a board', () => {
  test('as a side makes tasks of both, and becomes no baseline', async () => {
    const world = await guarded();
    await said(registerBoard, ['board', '-m', 'RR', '--resamples', '10', '--quiet', '--jobs', '1', '--out', world.out]);
    const board = join(world.out, 'board', 'board.json');
    await runOf(world, allSecond);
    const { json } = await gate(world, ['--baseline', board]);
    expect(json).toMatchObject({ unit: 'task', checks: [{ n: 2, base: 1, candidate: 0.75, delta: -0.25 }] });
    const { code, json: other } = await gate(world, ['--candidate', board]);
    expect([code, other.verdict, other.unit]).toEqual([0, 'pass', 'task']);
    const name = '--candidate';
    await expect(accepted(world, 'a board', [name, board])).rejects.toMatchObject({ code: 'refused' });
  });
});

describe('reports', () => {
  test('are written beside the result', async () => {
    const world = await guarded();
    await runOf(world, allSecond);
    const [comment, suite] = [world.path('comment.md'), world.path('gate.xml')];
    const { code } = await gate(world, ['--markdown', comment, '--junit', suite]);
    expect(code).toBe(1);
    expect(world.read('comment.md').toString()).toMatch(/^\*\*regressed\*\*: 1 of 1 check /);
    const xml = world.read('gate.xml').toString();
    expect(xmlFault(xml)).toBeNull();
    expect(xml).toContain('failures="1"');
  });

  test('do not take the place of what is read, nor of each other', async () => {
    const world = await guarded();
    const read = ['baseline.json', 'gate.yaml'].map((name) => [name, world.read(name)] as const);
    for (const option of ['--markdown', '--junit']) {
      for (const [name] of read) {
        const odd = join(world.folder, 'out', '..', name);
        await expect(gate(world, [option, odd])).rejects.toMatchObject({ code: 'usage' });
      }
    }
    const one = world.path('one');
    await expect(gate(world, ['--markdown', one, '--junit', one])).rejects.toMatchObject({ code: 'usage' });
    expect(existsSync(one)).toBe(false);
    for (const [name, bytes] of read) expect(world.read(name).equals(bytes)).toBe(true);
  });

  test('as JSON are one document with the names of formats.md', async () => {
    const { json, stdout } = await gate(await guarded(`${rr}, {cost: bytesPerDoc, rise: 10%}`));
    expect(stdout.endsWith('}\n')).toBe(true);
    expect(Object.keys(json)).toEqual(expect.arrayContaining(['verdict', 'checks']));
    const names = 'measure slice verdict base candidate delta low high p n nNeeded budget'.split(' ');
    for (const check of json.checks) expect(Object.keys(check)).toEqual(expect.arrayContaining(names));
  });

  test('as a table and as Markdown go to stdout; annotations to stderr, and only on GitHub', async () => {
    const world = await guarded();
    const table = await said(registerGate, ['gate', world.path('gate.yaml')]);
    expect(table.stdout).toMatch(/^pass: No check got worse/);
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    const text = await said(registerGate, ['gate', world.path('gate.yaml'), '--format', 'markdown']);
    expect(text.stdout).toMatch(/^\*\*pass\*\*: /);
    expect(text.stderr).toMatch(/^::notice title=Gate/);
    expect(table.stderr).toBe('');
  });
});

describe('sides that are not there', () => {
  test('are named, with what to do', async () => {
    const world = await smallWorld();
    await runOf(world, allFirst);
    world.write('gate.yaml', policyText(rr));
    await expect(gate(world)).rejects.toThrow(/baseline is not there.*baseline\.json.*--accept/);
    await expect(gate(world, ['--baseline', world.out, '--candidate', world.path('none')])).rejects.toMatchObject({
      code: 'missing',
    });
    world.write('gate.yaml', `system: bm25\ncandidate: out\nchecks: [${rr}]\n`);
    await expect(gate(world)).rejects.toMatchObject({ code: 'usage' });
  });
});
