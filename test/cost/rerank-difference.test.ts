import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eerFlops } from '../../runners/cost/eer.js';
import { namedArchitectures } from '../../runners/cost/named-architectures.js';
import { flopsOfPaperCell } from '../../runners/cost/rerank-schedule.js';
import type { Architecture } from '../../runners/models/card.js';
import { schedules } from '../../runners/schedules/index.js';
import { paperRows } from '../../scripts/flops-compare/paper-compare.js';

/** The reasons of docs/flops-compare.md, as sums: together they are the whole difference, to the last FLOP. */

function named(name: string): Architecture {
  const found = namedArchitectures.find((architecture) => architecture.name === name);
  if (found === undefined) throw new Error(name);
  return found.architecture;
}

function difference(of: Architecture, schedule: string, input: number, output: number): number {
  const tokens = { calls: 1, inputTokens: input, outputTokens: output };
  return flopsOfPaperCell(of, schedules.bind(schedule), { tokens }, 8) - eerFlops(of, tokens);
}

describe('ours less the estimator’s', () => {
  it.each([
    ['flan-t5-large', 320, 5],
    ['flan-t5-xl', 457, 10],
    ['flan-t5-xxl', 1, 1],
  ])('%s generating: a third matrix, the head, attention of each position to itself', (name, n, o) => {
    const of = named(name);
    const { layers: L, hidden: d, feedForward: ff, vocabulary: V } = of;
    const thirdMatrix = 2 * L * d * ff * (n + o);
    const head = 2 * d * V * o;
    const toItself = 4 * L * d * o;
    expect(difference(of, 'setwise.heapsort', n, o)).toBe(thirdMatrix + head + toItself);
  });

  it('Flan-T5 without an answer: a third matrix, and the one pass of the decoder that reads it', () => {
    const of = named('flan-t5-large');
    const { layers: L, hidden: d, feedForward: ff } = of;
    const n = 161;
    const decoderPass = L * (12 * d * d + 4 * d + 4 * d * n + 6 * d * ff);
    expect(difference(of, 'pointwise.yes_no', n, 0)).toBe(2 * L * d * ff * n + decoderPass + 2 * 2 * d);
  });

  it.each([
    ['llama-3.1-8b', 400, 4],
    ['qwen2.5-3b', 323, 5],
    ['qwen2.5-14b', 1000, 1],
  ])('%s: a third matrix, the head, whole attention, less one pass', (name, n, o) => {
    const of = named(name);
    const { layers: L, hidden: d, feedForward: ff, vocabulary: V, heads, keyValueHeads = heads } = of;
    const r = keyValueHeads / heads;
    const thirdMatrix = 2 * L * d * ff * (n + o);
    const head = 2 * d * V * o;
    const wholeAttention = 4 * L * d * (1 - r) * (n * n + o * n + (o * (o - 1)) / 2);
    const onePass = L * (4 * d * d * (1 + r) + 6 * d * ff + 4 * d * n);
    expect(difference(of, 'setwise.heapsort', n, o)).toBe(thirdMatrix + head + wholeAttention - onePass);
  });

  it('a pairwise sort: the estimator squares the sum of two prompts', () => {
    const of = named('flan-t5-large');
    const { layers: L, hidden: d, feedForward: ff, vocabulary: V } = of;
    const [n, o] = [228, 5];
    const squares = 4 * L * d * (4 * n * n - 2 * n * n);
    // Each answer sees its own source, and what was written before it, instead of those of both.
    const answers = 2 * L * d * (2 * 2 * o * 2 * n + 2 * o * (2 * o - 1) - 2 * (2 * o * n + o * (o - 1)));
    const more = 2 * (2 * L * d * ff * (n + o) + 2 * d * V * o + 4 * L * d * o);
    expect(difference(of, 'pairwise.heapsort', 2 * n, 2 * o)).toBe(more - squares - answers);
  });
});

describe('docs/flops-compare.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/flops-compare.md'), 'utf8');
  const bound = schedules.plugins.map(({ name }) => schedules.bind(name));

  it('has what the command prints for Flan-T5-large', () => {
    const rows = paperRows([{ model: 'flan-t5-large', architecture: named('flan-t5-large') }], bound, 8);
    for (const { schedule, ndcg10, calls, pflop, RPP, QPP, ours } of rows) {
      const figures = [ndcg10?.toFixed(3), calls, pflop.toFixed(3), RPP?.toFixed(2), QPP];
      const cells = [...figures, ours.pflop.toPrecision(4), ours.ofEstimator.toFixed(3)];
      expect(text).toContain(`| ${schedule} | ${cells.join(' | ')} |`);
    }
  });

  it('names every figure of table 2 that is not reproduced', () => {
    const models = ['flan-t5-large', 'flan-t5-xl', 'flan-t5-xxl'].map((model) => ({
      model,
      architecture: named(model),
    }));
    const others = paperRows(models, bound, 8).filter(({ published }) => (published?.differs.length ?? 0) > 0);
    expect(others.map(({ model, schedule }) => [model, schedule])).toHaveLength(6);
    for (const { model, schedule, published, ...row } of others) {
      for (const name of published?.differs ?? []) {
        expect(text).toContain(`| ${model} | ${schedule} | ${name} | ${published?.[name]} | ${row[name]} |`);
      }
    }
  });
});
