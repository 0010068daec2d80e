import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { taskId } from '../../core/ids.js';
import { buildBoard } from '../../results/board.js';
import type { SystemResults } from '../../results/board-types.js';
import { registerAdvise } from '../../scripts/commands/advise.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { readManifest, writeNanoSet } from '../../tasks/store.js';
import { values } from '../board/boards.js';
import { allFirst, allSecond, queries, type Ranks, runOf, smallWorld } from '../gate-command/small-world.js';
import { said } from '../replay/command-line.js';
import { smallNano } from '../small-nano.js';

const suites = ['small/en', 'small/ja'];
/** Half of the queries gain, and none loses. */
const better: Ranks = allSecond.map((rank, i) => (i % 2 === 0 ? 1 : rank));

/** A board of `RR@10` with two systems of these ranks on both tasks, as `tenbin board` would have written it. */
async function worldWithBoard(ranks: Readonly<Record<'good' | 'plain', Ranks>>) {
  const world = await smallWorld();
  const digests = await Promise.all(
    suites.map(async (id) => (await readManifest(world.out, taskId(id)))?.digest ?? ''),
  );
  const tasks = suites.map((id, i) => ({
    ...{ id, suite: 'small', language: 'en', domain: 'test', docs: 4, queries: queries.length, digest: digests[i] },
  }));
  const systems = Object.entries(ranks).map(([id, of]): SystemResults => {
    const results = {
      cost: { bytesPerDoc: 16, indexBytes: 64, work: { postings: 3 } },
      queryMs: { p50: 1, p95: 2 },
      values: new Map([['RR@10', values(...of.map((rank) => 1 / rank))]]),
    };
    return { id, family: 'lexical', tasks: new Map(suites.map((suite) => [suite, results])) };
  });
  const board = buildBoard({ tasks, systems, measures: ['RR@10'], primary: 'RR@10', seed: 17, resamples: 200 });
  mkdirSync(join(world.out, 'board'));
  writeFileSync(join(world.out, 'board/board.json'), JSON.stringify(board));
  return world;
}

async function advised(out: string) {
  const found = await said(registerAdvise, ['advise', '--budget', 'bytesPerDoc<=16', '--format', 'json', '--out', out]);
  return { ...found, json: JSON.parse(found.stdout) };
}

describe('the difference that advice gives', () => {
  it('is paired by query where the runs of the board are there', async () => {
    const world = await worldWithBoard({ good: better, plain: allSecond });
    for (const task of suites) {
      await runOf(world, better, { task, system: 'good' });
      await runOf(world, allSecond, { task, system: 'plain' });
    }
    const { json } = await advised(world.out);
    expect(json).toMatchObject({ best: { system: 'good' }, runnerUp: { system: 'plain' } });
    expect(json.difference).toMatchObject({ value: 0.25, unit: 'query', n: 24, method: 'percentile', sure: true });
    expect(json.difference.low).toBeLessThan(0.25);
  });

  it('is paired by task, and says why, where they are other runs', async () => {
    const world = await worldWithBoard({ good: better, plain: allSecond });
    for (const task of suites) {
      await runOf(world, allFirst, { task, system: 'good' });
      await runOf(world, allSecond, { task, system: 'plain' });
    }
    const { json, stderr } = await advised(world.out);
    expect(json.difference).toMatchObject({ value: 0.25, unit: 'task', n: 2 });
    expect(stderr).toMatch(/paired by task and not by query: the runs in .* are not those of the board/);
  });

  it('is paired by task where the board is of another build, whatever the means', async () => {
    const world = await worldWithBoard({ good: better, plain: allSecond });
    for (const task of suites) {
      await runOf(world, better, { task, system: 'good' });
      await runOf(world, allSecond, { task, system: 'plain' });
    }
    const path = join(world.out, 'board/board.json');
    const board = JSON.parse(readFileSync(path, 'utf8'));
    const tasks = board.tasks.map((task: object) => ({ ...task, digest: 'f'.repeat(64) }));
    writeFileSync(path, JSON.stringify({ ...board, tasks }));
    const { json, stderr } = await advised(world.out);
    expect(json.difference).toMatchObject({ unit: 'task', n: 2 });
    expect(stderr).toContain('are not those of the board');
  });

  it('is paired by task where the runs of a task are of another build', async () => {
    const world = await worldWithBoard({ good: better, plain: allSecond });
    for (const task of suites) {
      await runOf(world, better, { task, system: 'good' });
      await runOf(world, allSecond, { task, system: 'plain' });
    }
    const texts = { docs: { a: 'new', b: 'b', c: 'c', d: 'd' }, queries: { q0: 'other' }, judged: { q0: { a: 1 } } };
    await writeNanoSet(world.out, sealNanoSet(smallNano({ ...texts, language: 'ja' }, suites[1])));
    const { json, stderr } = await advised(world.out);
    expect(json.difference).toMatchObject({ unit: 'task', n: 2 });
    expect(stderr).toMatch(/left out .*another build/);
  });

  it('is paired by task where there is the board alone', async () => {
    const world = await worldWithBoard({ good: better, plain: allSecond });
    await runOf(world, better, { system: 'good' });
    const { json, stderr } = await advised(world.out);
    // Both tasks differ by the same: there is nothing to draw, and nothing to doubt it by.
    expect(json.difference).toMatchObject({ value: 0.25, low: 0.25, high: 0.25, unit: 'task', method: 'none' });
    expect(stderr).toBe('');
  });
});
