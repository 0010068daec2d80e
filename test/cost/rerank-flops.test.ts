import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaperCell } from '../../runners/cost/paper-table2.js';
import { countCalls } from '../../runners/cost/rerank-calls.js';
import { checkAnswers, meanPromptFlops, promptFlops } from '../../runners/cost/rerank-flops.js';
import { promptTokens } from '../../runners/cost/rerank-prompts.js';
import { flopsOfPaperCell, scheduleCost } from '../../runners/cost/rerank-schedule.js';
import type { Architecture } from '../../runners/models/card.js';
import { schedules } from '../../runners/schedules/index.js';

const t5: Architecture = {
  kind: 'encoder-decoder',
  layers: 24,
  decoderLayers: 24,
  hidden: 1024,
  heads: 16,
  headSize: 64,
  feedForward: 2816,
  gated: true,
  vocabulary: 32128,
};

/** Qwen2.5-3B: config.json; the first figures of its rows in shared/fixtures/flops/golden_flops.json. */
const qwen: Architecture = {
  kind: 'decoder',
  layers: 36,
  hidden: 2048,
  heads: 16,
  keyValueHeads: 2,
  headSize: 128,
  feedForward: 11008,
  gated: true,
  vocabulary: 151936,
};

type Question = Parameters<typeof promptFlops>[1];
/** What stands around empty texts, and the shortest answer. */
const bare = (question: Question, passages: number) => promptTokens(question, passages, { query: 0, passage: 0 });

const tokensOf = (input: number, output = 0, query = 5) => ({ input, output, query });

describe('FLOPs of one prompt', () => {
  it('yes or no is the prompt and two rows of the vocabulary', () => {
    // golden_flops.json: prefill of 128 tokens, body and yesNoRowsOnly.
    expect(promptFlops(qwen, 'relevance', tokensOf(128))).toBe(715112054784 + 8192);
    // encdec, src 128, decPrefix 1, generated 1: encoder and decoder.
    expect(promptFlops(t5, 'relevance', tokensOf(128))).toBe(80530636800 + 13614809088 + 4 * 1024);
  });

  it('an order by likelihood is the prompt and the whole vocabulary once', () => {
    expect(promptFlops(qwen, 'list-likelihood', tokensOf(128))).toBe(715112054784 + 622329856);
    expect(promptFlops(t5, 'list-likelihood', tokensOf(512))).toBe(341449900032 + 52307263488 + 65798144);
  });

  it.each(['pair', 'set', 'list'] as const)('an answer to a %s is generated, keys and values kept', (question) => {
    expect(promptFlops(qwen, question, tokensOf(128, 2))).toBe(720699162624 + 1244659712);
    expect(promptFlops(qwen, question, tokensOf(300, 16))).toBe(1775859793920 + 9957277696);
    expect(promptFlops(t5, question, tokensOf(128, 1))).toBe(80530636800 + 13614809088 + 65798144);
  });

  it('a query’s likelihood: one pass, logits at its own positions', () => {
    expect(promptFlops(qwen, 'query-likelihood', tokensOf(128, 0, 5))).toBe(715112054784 + 5 * 622329856);
    expect(promptFlops(qwen, 'query-likelihood', tokensOf(128, 0, 5))).toBeGreaterThan(
      promptFlops(qwen, 'relevance', tokensOf(128)),
    );
    // The encoder reads 123 tokens, the decoder forces 5: metrics.md §D.1 with D = P = 5.
    const [d, ff, w, L, S, D] = [1024, 2816, 1024, 24, 123, 5];
    const encoder = L * (S * (2 * d * 4 * w + 6 * d * ff) + 4 * S * S * w);
    const decoder =
      L * (8 * d * w * D + 4 * w * D * D + 4 * d * w * D + 4 * w * D * S + 4 * d * w * S + 6 * d * ff * D);
    expect(promptFlops(t5, 'query-likelihood', tokensOf(128, 0, 5))).toBe(encoder + decoder + 2 * d * 32128 * D);
  });

  it('an encoder is refused, and the model named', () => {
    expect(() => checkAnswers('minilm', { ...qwen, kind: 'encoder' })).toThrow(
      /An encoder answers no questions.*minilm/,
    );
    expect(() => checkAnswers('qwen', qwen)).not.toThrow();
  });
});

describe('at mean lengths', () => {
  it('whole numbers are the prompt itself', () => {
    for (const of of [t5, qwen]) {
      expect(meanPromptFlops(of, 'set', tokensOf(300, 5))).toBe(promptFlops(of, 'set', tokensOf(300, 5)));
      expect(meanPromptFlops(of, 'relevance', tokensOf(300))).toBe(promptFlops(of, 'relevance', tokensOf(300)));
    }
  });

  it('between them it is their weighted mean, in both lengths', () => {
    const at = (input: number, output: number) => promptFlops(qwen, 'set', tokensOf(input, output));
    const mixed = 0.75 * (0.5 * at(10, 2) + 0.5 * at(10, 3)) + 0.25 * (0.5 * at(11, 2) + 0.5 * at(11, 3));
    expect(meanPromptFlops(qwen, 'set', tokensOf(10.25, 2.5))).toBeCloseTo(mixed, -3);
  });

  it('more tokens never cost less', () => {
    const length = fc.double({ min: 6, max: 400, noNaN: true });
    const property = fc.property(length, length, fc.constantFrom(t5, qwen), (a, b, of) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const at = (input: number) => meanPromptFlops(of, 'pair', tokensOf(input, 2.5));
      expect(at(low)).toBeLessThanOrEqual(at(high));
    });
    fc.assert(property, { numRuns: 25 });
  });
});

describe('tokens of a prompt', () => {
  const texts = { query: 8, passage: 128 };
  const questions = ['relevance', 'query-likelihood', 'pair', 'set', 'list', 'list-likelihood'] as const;

  it.each(questions)('%s: everything around, the query, the passages', (question) => {
    const passages = question === 'pair' ? 2 : question === 'set' ? 3 : question.startsWith('list') ? 20 : 1;
    const around = bare(question, passages).input;
    expect(around).toBeGreaterThan(5);
    expect(promptTokens(question, passages, texts).input).toBe(around + 8 + 128 * passages);
    expect(promptTokens(question, passages, { ...texts, instruction: 0 }).input).toBe(8 + 128 * passages);
  });

  it('labels grow with the passages: three marks and a number in a set, three pieces in a list', () => {
    // "Passage C:" and "[3]".
    expect(bare('set', 3).input - bare('set', 2).input).toBe(3);
    expect(bare('list', 5).input - bare('list', 4).input).toBe(3);
  });

  it('answers: a letter, a passage by its letter, an order; none where probabilities are read', () => {
    expect(bare('set', 3).output).toBe(1);
    expect(bare('pair', 2).output).toBe(2);
    // [1] > [2] > [3]
    expect(bare('list', 3).output).toBe(11);
    for (const question of ['relevance', 'query-likelihood', 'list-likelihood'] as const) {
      expect(promptTokens(question, 1, { ...texts, answer: 9 }).output).toBe(0);
    }
    expect(promptTokens('list', 3, { ...texts, answer: 9 }).output).toBe(9);
  });
});

describe('cost of a schedule', () => {
  const texts = { query: 8, passage: 100 };
  const list = { docs: 25, top: 5, orders: 3, seed: 2 };

  it('is the sum over its prompts, each with the passages that it shows', async () => {
    const windows = schedules.bind('listwise.generation@window=10,step=5');
    const counts = await countCalls(windows, { ...list, docs: 23 });
    expect([...counts.bySize]).toEqual([
      [8, 1],
      [10, 3],
    ]);
    const full = promptTokens('list', 10, texts);
    const rest = promptTokens('list', 8, texts);
    const cost = scheduleCost(qwen, windows, counts, texts);
    expect(cost).toEqual({
      calls: 4,
      inputTokens: 3 * full.input + rest.input,
      outputTokens: 3 * full.output + rest.output,
      flops: 3 * promptFlops(qwen, 'list', full) + promptFlops(qwen, 'list', rest),
    });
  });

  it('over several orders it is their mean', async () => {
    const heaps = schedules.bind('pairwise.heapsort');
    const counts = await countCalls(heaps, list);
    expect(counts.orders).toBe(3);
    const prompt = promptTokens('pair', 2, texts);
    const cost = scheduleCost(qwen, heaps, counts, texts);
    expect(cost.calls).toBe(counts.mean);
    expect(cost.inputTokens).toBeCloseTo(counts.mean * prompt.input, 6);
    expect(cost.outputTokens).toBeCloseTo(counts.mean * prompt.output, 6);
    expect(cost.flops / (counts.mean * promptFlops(qwen, 'pair', prompt))).toBeCloseTo(1, 12);
  });

  it('nothing to rerank costs nothing', async () => {
    const schedule = schedules.bind('setwise.heapsort');
    const cost = scheduleCost(t5, schedule, await countCalls(schedule, { ...list, docs: 0 }), texts);
    expect(cost).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0, flops: 0 });
  });

  it('pointwise by yes and no costs least, and all pairs most', async () => {
    const flopsOf = async (name: string) => {
      const schedule = schedules.bind(name);
      return scheduleCost(t5, schedule, await countCalls(schedule, { ...list, docs: 40 }), texts).flops;
    };
    const costs = new Map<string, number>();
    for (const { name } of schedules.plugins) costs.set(name, await flopsOf(name));
    const sorted = [...costs].sort(([, a], [, b]) => a - b).map(([name]) => name);
    expect(sorted.at(-1)).toBe('pairwise.allpair');
    expect(sorted.slice(0, 2).every((name) => name.startsWith('pointwise.'))).toBe(true);
  });
});

describe('our count on the calls and tokens of table 2', () => {
  const ours = (name: string, tokens: PaperCell['tokens'], of = t5) =>
    flopsOfPaperCell(of, schedules.bind(name), { tokens }, 8);

  it('a call of all pairs is one prompt, one of the pairwise sorts two with half its tokens', () => {
    const tokens = { calls: 10, inputTokens: 6000, outputTokens: 100 };
    expect(ours('pairwise.allpair', tokens)).toBe(10 * promptFlops(t5, 'pair', tokensOf(600, 10)));
    expect(ours('pairwise.heapsort', tokens)).toBe(20 * promptFlops(t5, 'pair', tokensOf(300, 5)));
    expect(ours('pairwise.bubblesort', tokens)).toBe(20 * promptFlops(t5, 'pair', tokensOf(300, 5)));
    expect(ours('setwise.heapsort', tokens)).toBe(10 * promptFlops(t5, 'set', tokensOf(600, 10)));
  });

  it('the query of a likelihood goes to the decoder behind an encoder, and is in the prompt of others', () => {
    const tokens = { calls: 2, inputTokens: 300, outputTokens: 0 };
    expect(ours('pointwise.qlm', tokens)).toBe(2 * promptFlops(t5, 'query-likelihood', tokensOf(158, 0, 8)));
    expect(ours('pointwise.qlm', tokens, qwen)).toBe(2 * promptFlops(qwen, 'query-likelihood', tokensOf(150, 0, 8)));
  });
});
