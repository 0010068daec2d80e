import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { registerFlopsCompare } from '../../scripts/commands/flops-compare.js';
import { schedulesFrom } from '../../scripts/flops-compare/schedule-names.js';

afterEach(() => vi.restoreAllMocks());

/** Runs `tenbin flops compare` in this process, below a `flops` with options of the same names. */
async function compare(
  ...args: readonly string[]
): Promise<{ readonly text: string; readonly codes: readonly number[] }> {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const codes: number[] = [];
  const program = new Command('tenbin').exitOverride();
  const flops = program.command('flops').option('--model <name>').option('--format <form>');
  registerFlopsCompare(flops, (code) => codes.push(code));
  await program.parseAsync(['flops', 'compare', '--quiet', ...args], { from: 'user' });
  return { text: written.join(''), codes };
}

async function json(...args: readonly string[]) {
  const { text, codes } = await compare(...args, '--format', 'json');
  expect(codes).toEqual([0]);
  return JSON.parse(text);
}

const large = ['--model', 'flan-t5-large'];

describe('tenbin flops compare', () => {
  it('counts the schedules that are named, for each model', async () => {
    const names = 'pointwise.yes_no,listwise.generation@window=30,step=10,setwise.bubblesort';
    const { rows, assumptions } = await json(...large, '--model', 'qwen2.5-3b', '--schedules', names);
    expect(rows.map((row: Readonly<Record<string, unknown>>) => [row.model, row.schedule, row.calls])).toEqual([
      ['flan-t5-large', 'pointwise.yes_no', 100],
      ['flan-t5-large', 'listwise.generation@window=30', 8],
      ['flan-t5-large', 'setwise.bubblesort', 475],
      ['qwen2.5-3b', 'pointwise.yes_no', 100],
      ['qwen2.5-3b', 'listwise.generation@window=30', 8],
      ['qwen2.5-3b', 'setwise.bubblesort', 475],
    ]);
    expect(assumptions.join(' ')).toMatch(/a query of 8 tokens, passages of 128/);
  });

  it('a row starts with the fields of formats.md, and FLOPs follow from the lengths given', async () => {
    const lengths = ['--query-tokens', '10', '--doc-tokens', '108', '--prompt-tokens', '10', '--docs', '7'];
    const { rows } = await json(...large, '--schedules', 'pointwise.yes_no', ...lengths);
    expect(Object.keys(rows[0]).slice(0, 5)).toEqual(['schedule', 'calls', 'inputTokens', 'outputTokens', 'flops']);
    // golden_flops.json, encdec with a source of 128: encoder and decoder; two words.
    const flops = 7 * (80530636800 + 13614809088 + 4096);
    expect(rows[0]).toMatchObject({ calls: 7, inputTokens: 7 * 128, outputTokens: 0, flops, callLimit: 7, orders: 1 });
  });

  it('heaps: the mean over the orders asked for, with least, most and limit', async () => {
    const { rows } = await json(...large, '--schedules', 'setwise.heapsort', '--orders', '5', '--seed', '3');
    const [{ calls, callsMin, callsMax, callLimit, orders }] = rows;
    expect(orders).toBe(5);
    expect(callsMin).toBeLessThanOrEqual(calls);
    expect(calls).toBeLessThanOrEqual(callsMax);
    expect(callsMax).toBeLessThanOrEqual(callLimit);
  });

  it('no more are the best than there are', async () => {
    const few = async (docs: string, top: string) =>
      (await json(...large, '--schedules', 'pointwise.qlm', '--docs', docs, '--top', top)).assumptions[0];
    expect(await few('1', '10')).toContain('the best 1 of 1 passages');
    expect(await few('12', '10')).toContain('the best 10 of 12 passages');
  });

  it('eer: table 2 as printed, ours beside it, and what dominates what', async () => {
    const { rows, summary } = await json(...large, '--estimator', 'eer');
    expect(rows).toHaveLength(9);
    for (const { published, ndcg10, calls, pflop, RPP, QPP } of rows) {
      expect(published).toEqual({ ndcg10, calls, pflop, RPP, QPP, differs: [] });
    }
    const [row] = rows.filter(({ schedule }: { readonly schedule: string }) => schedule === 'setwise.heapsort');
    expect(row).toMatchObject({ calls: 125.4, inputTokens: 40460.6, outputTokens: 626.9, pflop: 0.025, RPP: 26.8 });
    expect(row.exact.RPP).toBeCloseTo(26.709, 3);
    expect(row.ours.flops).toBeGreaterThan(row.flops);
    const frontier = summary.frontier.map(({ schedule }: { readonly schedule: string }) => schedule);
    expect(frontier).toEqual(['pointwise.qlm', 'pointwise.yes_no', 'setwise.heapsort', 'setwise.bubblesort']);
    expect(summary.frontier[1].gain).toMatchObject({ ndcg10: 0.097 });
    expect(summary.dominated).toHaveLength(5);
  });

  it('eer on a model without a column: the tokens of Flan-T5-large, no quality and no summary', async () => {
    const { rows, summary } = await json('--model', 'llama-3.1-8b', '--estimator', 'eer');
    expect(summary).toBeNull();
    expect(rows[1]).toMatchObject({ inputTokens: 16111.6, ndcg10: null, RPP: null, published: null });
    expect(rows[1].QPP).toBeCloseTo(1 / rows[1].pflop, 9);
  });

  it('prints tables for people', async () => {
    const ours = await compare(...large, '--schedules', 'pairwise.bubblesort', '--docs', '20', '--top', '1');
    expect(ours.text).toMatch(/^flan-t5-large\nschedule {2,}calls {2,}least–most/);
    expect(ours.text).toMatch(/pairwise\.bubblesort {2,}38 {2,}always/);
    const paper = await compare('--model', 'flan-t5-xxl', '--schedules', 'pairwise.allpair', '--estimator', 'eer');
    expect(paper.text).toMatch(/pflop 25\.51/);
    expect(paper.text).toMatch(/On the frontier/);
    expect(paper.text).not.toMatch(/Dominated/);
  });

  it.each([
    [['--model', 'flan-t5-lrge'], /Did you mean `flan-t5-large`/],
    [['--model', 'dense-tiny'], /An encoder answers no questions/],
    [[...large, '--schedules', 'setwise.heapsrt'], /Did you mean `setwise.heapsort`/],
    [[...large, '--schedules', ' , '], /No schedule is named/],
    [[...large, '--schedules', 'step=3'], /Unknown schedule/],
    [[...large, '--estimator', 'eer', '--schedules', 'setwise.heapsort@children=3'], /parameters of its authors only/],
    [[...large, '--estimator', 'eer', '--docs', '50'], /--docs 50 --top 10/],
    [[...large, '--estimator', 'eer', '--doc-tokens', '128'], /--doc-tokens/],
    [[...large, '--docs', '0'], /A whole number from 1 to 1000/],
    [[], /required option '--model/],
  ])('%j is refused', async (args, message) => {
    await expect(compare(...args)).rejects.toThrow(message);
  });
});

describe('names of schedules', () => {
  it('parameters stay with their schedule, and each schedule comes once', () => {
    const text = 'listwise.likelihood@window=10,step=5, setwise.heapsort@children=2,setwise.heapsort,pointwise.qlm';
    expect(schedulesFrom(text).map(({ id }) => id)).toEqual([
      'listwise.likelihood@window=10,step=5',
      'setwise.heapsort',
      'pointwise.qlm',
    ]);
  });

  it('all nine where none is named', () => {
    expect(schedulesFrom(undefined)).toHaveLength(9);
  });
});
