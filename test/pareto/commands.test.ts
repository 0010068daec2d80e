import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBoard } from '../../results/board.js';
import { registerAdvise } from '../../scripts/commands/advise.js';
import { registerPareto } from '../../scripts/commands/pareto.js';
import { madeUp } from '../board/boards.js';
import { said } from '../replay/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'tenbin-pareto-'));
const file = join(folder, 'board.json');
const board = buildBoard(madeUp({ suites: 2, tasksPerSuite: 3, systems: 5, queries: 12, gaps: 0, seed: 3 }));

beforeAll(() => writeFileSync(file, JSON.stringify(board)));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: readonly string[]) =>
  said(args[0] === 'pareto' ? registerPareto : registerAdvise, [...args, '--out', folder]);

describe('tenbin pareto', () => {
  it('prints one JSON document of the form of formats.md §11, the same each time', async () => {
    const { stdout, code } = await run('pareto', file, '--x', 'bytesPerDoc', '--y', 'nDCG@10', '--format', 'json');
    const { points, gains, leftOut, summary } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(points).toHaveLength(5);
    for (const one of points) {
      expect(['frontier', 'dominated', 'dominatedWithinError']).toContain(one.status);
      expect(one.status === 'frontier').toBe(one.by === undefined);
      const system = board.systems.find(({ id }) => id === one.system);
      expect(one).toMatchObject({ x: system?.cost.bytesPerDoc, y: system?.micro['nDCG@10'].value });
    }
    expect(gains).toHaveLength(summary.frontier - 1);
    expect(leftOut).toEqual([]);
    expect((await run('pareto', file, '--format', 'json')).stdout).toBe(stdout);
  });

  it('takes a measure and systems as people type them', async () => {
    const chosen = ['--systems', 'system-0, system-2', '--y', 'recall@100', '--x', 'p95'];
    const { stdout } = await run('pareto', file, ...chosen, '--format', 'json');
    const { points, x, y } = JSON.parse(stdout);
    expect(points.map(({ system }: { system: string }) => system).toSorted()).toEqual(['system-0', 'system-2']);
    expect([x.key, y.measure]).toEqual(['latencyMs.p95', 'R@100']);
  });

  it('writes the same SVG to a file and to stdout', async () => {
    const svg = join(folder, 'plot.svg');
    const { stdout, stderr } = await run('pareto', file, '--format', 'svg', '--svg', svg);
    expect(readFileSync(svg, 'utf8')).toBe(stdout);
    expect(stdout.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    expect(stderr).toContain('plot.svg');
  });

  it('prints a table whose rows are the points', async () => {
    const { stdout } = await run('pareto', file);
    for (const { id } of board.systems) expect(stdout).toMatch(new RegExp(`^${id} `, 'm'));
    expect(stdout).toMatch(/of 5 systems (is|are) on the frontier/);
  });

  it.each([
    [['--x', 'bytesPerDok'], /Did you mean `bytesPerDoc`/],
    [['--y', 'RR@10'], /does not hold this measure: `RR@10`.*`nDCG@10`/],
    [['--y', 'mDCG@10'], /Did you mean/],
    [['--systems', 'bm25'], /no system of that name: `bm25`/],
  ])('says what is wrong with %s', async (args, message) => {
    await expect(run('pareto', file, ...args)).rejects.toThrow(message);
  });

  it('ends with 1 and the reasons where no point is left', async () => {
    const bare = join(folder, 'bare.json');
    const systems = board.systems.map((one, i) => (i === 0 ? { ...one, cost: nothingOf(one.cost) } : one));
    writeFileSync(bare, JSON.stringify({ ...board, systems }));
    const { id } = board.systems[0];
    for (const x of ['bytesPerDoc', 'usd']) {
      const { code, stdout } = await run('pareto', bare, '--systems', id, '--x', x);
      expect(code).toBe(1);
      expect(stdout).toContain(`${id}: its ${x} is not known`);
    }
    expect((await run('pareto', bare, '--x', 'usd')).code).toBe(0);
  });

  it('prints no control character of a measure', async () => {
    const odd = join(folder, 'odd.json');
    const primary = 'm\u001b]0;x\u0007';
    writeFileSync(odd, JSON.stringify({ ...board, primary, measures: [primary] }));
    for (const { stdout } of [await run('pareto', odd), await run('advise', odd, '--budget', 'bytesPerDoc<=1')]) {
      expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
      expect(stdout).toContain('\\x1b');
    }
  });

  it('says so where there is no board, and where it is another file', async () => {
    await expect(run('pareto')).rejects.toThrow(/no board here: .*board\.json.*tenbin board/);
    const other = join(folder, 'other.json');
    writeFileSync(other, '{"schema":"tenbin/run@1"}');
    await expect(run('pareto', other)).rejects.toThrow(/This is no board: .*other\.json/);
  });
});

/** All costs null, as of a frozen pool. */
function nothingOf(cost: object): object {
  const none = { latencyMs: { p50: null, p95: null }, opsPerQuery: {}, flopsByStage: {}, RPP: {} };
  return { ...Object.fromEntries(Object.keys(cost).map((key) => [key, null])), ...none };
}

describe('tenbin advise', () => {
  const advised = async (budget: string, ...more: readonly string[]) => {
    const { stdout, code } = await run('advise', file, '--budget', budget, ...more, '--format', 'json');
    return { ...JSON.parse(stdout), code };
  };

  it('names the best, the runner-up and the interval of their difference', async () => {
    const { best, runnerUp, difference, sentence, code } = await advised('bytesPerDoc<=1M');
    const [first, second] = board.systems;
    expect(code).toBe(0);
    expect([best.system, runnerUp.system]).toEqual([first.id, second.id]);
    expect(difference.value).toBeCloseTo(best.y - runnerUp.y, 12);
    expect(difference.low).toBeLessThanOrEqual(difference.value);
    expect(difference.high).toBeGreaterThanOrEqual(difference.value);
    // No runs lie below the folder, so means of tasks are what is paired.
    expect(difference).toMatchObject({ unit: 'task', n: 6 });
    expect(sentence).toMatch(
      new RegExp(`${first.id} is the best within the budget, before ${second.id} .* over 6 tasks`),
    );
  });

  it('has no runner-up where one fits, and none at all with exit code 1 where nothing does', async () => {
    const costs = board.systems.map(({ id, cost }) => ({ id, bytes: cost.bytesPerDoc ?? 0 }));
    const [least, next] = costs.toSorted((a, b) => a.bytes - b.bytes);
    const one = await advised(`bytesPerDoc<${next.bytes}`);
    expect(one).toMatchObject({ best: { system: least.id }, runnerUp: null, difference: null, code: 0 });
    const none = await advised(`bytesPerDoc<${least.bytes}`);
    expect(none).toMatchObject({
      best: null,
      runnerUp: null,
      difference: null,
      nearest: { system: least.id },
      code: 1,
    });
    const { stdout } = await run('advise', file, '--budget', `bytesPerDoc<${least.bytes}`);
    expect(stdout).toContain(`Nothing fits. ${least.id} comes nearest`);
  });

  it('refuses a budget that is none', async () => {
    await expect(run('advise', file, '--budget', 'bytesPerDoc<=x')).rejects.toThrow(/`bytesPerDoc<=x`/);
  });
});
