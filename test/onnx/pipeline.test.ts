import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Pipeline, runPipeline } from '../../runners/backends/onnx/pipeline.js';
import { floatRule, planBatches, ruleFor, singleRule } from '../../runners/backends/onnx/plan.js';

/** Positions that are computed, padding included, and the tokens among them. */
function paddingOf(lengths: readonly number[], rule: Parameters<typeof planBatches>[1]) {
  const sorted = [...lengths].sort((a, b) => b - a);
  const cells = planBatches(sorted, rule).reduce((sum, [from, to]) => sum + sorted[from] * (to - from), 0);
  return cells / lengths.reduce((sum, length) => sum + length, 0) - 1;
}

/** Lengths as texts have them: many short ones, few long ones, cut at 256. */
const skewed = fc.array(
  fc
    .double({ min: 0, max: 1, noNaN: true })
    .map((u) => Math.min(256, Math.max(3, Math.round(20 * (u + 1e-9) ** -0.7)))),
  { minLength: 400, maxLength: 2000 },
);

describe('batches', () => {
  test('hold every row once, in order, within the rule', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 200 }), (lengths) => {
        const sorted = [...lengths].sort((a, b) => b - a);
        const batches = planBatches(sorted, floatRule);
        expect(batches.flatMap(([from, to]) => sorted.slice(from, to))).toEqual(sorted);
        for (const [from, to] of batches) {
          expect(to).toBeGreaterThan(from);
          expect(to - from).toBeLessThanOrEqual(floatRule.rows);
          if (to - from > 1) expect(sorted[from] * (to - from)).toBeLessThanOrEqual(floatRule.tokens);
        }
      }),
    );
  });

  test('pad less than 5 % of what they compute, over skewed lengths', () => {
    fc.assert(
      fc.property(skewed, (lengths) => {
        expect(paddingOf(lengths, floatRule)).toBeLessThan(0.05);
      }),
    );
  });

  test('of dynamically quantized graphs hold one row', () => {
    expect(planBatches([9, 5, 5, 1, 0], singleRule)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
    ]);
    expect(planBatches([], singleRule)).toEqual([]);
  });

  test('are smaller where an output is wide: at most 96 MiB of it', () => {
    expect(ruleFor(floatRule, 384).tokens).toBe(2048);
    const { tokens, name } = ruleFor(floatRule, 30_522);
    expect(tokens * 30_522 * 4).toBeLessThanOrEqual(96 * 2 ** 20);
    expect([tokens, name]).toEqual([824, floatRule.name]);
    expect(ruleFor(floatRule, 1e9).tokens).toBe(1);
  });
});

describe('the pipeline', () => {
  const of = (characters: readonly number[], change: Partial<Pipeline<number>> = {}) => {
    const seen: number[][] = [];
    const events: string[] = [];
    let running = 0;
    let most = 0;
    const pipeline: Pipeline<number> = {
      characters,
      prepare: (position) => {
        events.push(running > 0 ? 'prepared meanwhile' : 'prepared first');
        return Math.ceil(characters[position] / 4);
      },
      lengthOf: (row) => row,
      rule: { ...floatRule, tokens: 64 },
      run: async (batch) => {
        running++;
        most = Math.max(most, running);
        seen.push(batch.map(({ position }) => position));
        await new Promise((resolve) => setImmediate(resolve));
        running--;
      },
      ...change,
    };
    return { pipeline, seen, events, most: () => most };
  };

  test('runs every text once, two batches at a time, and prepares while it runs', async () => {
    const characters = Array.from({ length: 3000 }, (_, i) => 1 + ((i * 7919) % 400));
    const { pipeline, seen, events, most } = of(characters);
    const steps: number[] = [];
    await runPipeline({ ...pipeline, onStep: (done) => steps.push(done) });
    expect(seen.flat().sort((a, b) => a - b)).toEqual(characters.map((_, i) => i));
    expect(steps.reduce((sum, done) => sum + done, 0)).toBe(3000);
    expect(most()).toBe(2);
    expect(events.filter((event) => event === 'prepared meanwhile').length).toBeGreaterThan(1900);
  });

  test('nothing to do is done at once', async () => {
    const { pipeline, seen } = of([]);
    await runPipeline(pipeline);
    expect(seen).toEqual([]);
  });

  test('the first failure ends it, after the batches on their way', async () => {
    let batches = 0;
    const { pipeline } = of(Array(500).fill(40), {
      run: async () => {
        batches++;
        if (batches === 3) throw new Error('the third batch');
      },
    });
    await expect(runPipeline(pipeline)).rejects.toThrow('the third batch');
    expect(batches).toBeLessThan(6);
  });

  test('a text that cannot be prepared fails it too', async () => {
    const { pipeline } = of([1, 2, 3], {
      prepare: () => {
        throw new Error('no such token');
      },
    });
    await expect(runPipeline(pipeline)).rejects.toThrow('no such token');
  });
});
