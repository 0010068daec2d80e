import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ForwardFlops, forwardFlops } from '../../../runners/cost/forward.js';
import { countGraph, explain } from '../../../runners/cost/graph/index.js';
import type { CostHead } from '../../../runners/cost/types.js';
import type { Architecture } from '../../../runners/models/card.js';
import { hasShared, sharedModels } from '../../onnx/cards.js';
import { needsShared } from '../../onnx/references.js';

const embedded = join(import.meta.dirname, '../../../runners/models/embedded');

const tiny: Architecture = {
  kind: 'encoder',
  layers: 2,
  hidden: 128,
  heads: 2,
  feedForward: 512,
  gated: false,
  vocabulary: 30_522,
};
const small: Architecture = { ...tiny, layers: 6, hidden: 384, heads: 12, feedForward: 1536 };
const llama: Architecture = {
  kind: 'decoder',
  layers: 2,
  hidden: 64,
  heads: 4,
  keyValueHeads: 2,
  headSize: 16,
  feedForward: 128,
  gated: true,
  vocabulary: 2003,
};
const t5: Architecture = {
  kind: 'encoder-decoder',
  layers: 2,
  decoderLayers: 2,
  hidden: 64,
  heads: 4,
  headSize: 16,
  feedForward: 128,
  gated: true,
  vocabulary: 2000,
};

interface Pair {
  readonly graph: string;
  readonly of: Architecture;
  readonly head: CostHead;
}

const none: CostHead = { kind: 'none' };
const ofTexts: readonly Pair[] = [
  ...['model', 'model_w8'].map((file) => ({ graph: `dense-tiny/onnx/${file}.onnx`, of: tiny, head: none })),
  { graph: 'all-minilm-l6-v2/onnx/model.onnx', of: small, head: none },
  { graph: 'bge-small-en-v1.5/onnx/model_int8.onnx', of: { ...small, layers: 12 }, head: none },
  ...['model', 'model_fp16', 'model_int8', 'model_w8'].map(
    (file): Pair => ({ graph: `splade-tiny/onnx/${file}.onnx`, of: tiny, head: { kind: 'masked-language-model' } }),
  ),
  ...['model', 'model_w8'].map(
    (file): Pair => ({
      graph: `colbert-tiny/onnx/${file}.onnx`,
      of: tiny,
      head: { kind: 'projection', dims: 64, over: 'tokens' },
    }),
  ),
  ...['model', 'model_int8', 'model_w8'].map(
    (file): Pair => ({
      graph: `ce-tiny/onnx/${file}.onnx`,
      of: tiny,
      head: { kind: 'classifier', labels: 1, dense: true },
    }),
  ),
];
const embeddedPairs = ofTexts.filter(({ graph }) => graph.endsWith('_w8.onnx'));

const sizes = [
  { batch: 1, tokens: 1 },
  { batch: 1, tokens: 128 },
  { batch: 4, tokens: 33 },
];

function agrees(folder: string, { graph, of, head }: Pair): void {
  const bytes = readFileSync(join(folder, graph));
  for (const { batch, tokens } of sizes) {
    const count = countGraph(bytes, { batch, tokens });
    const closed = forwardFlops({ architecture: of, head, tokens });
    expect(count.problems).toEqual([]);
    expect(explain(count, { ...closed, batch })).toEqual([]);
    expect(count.total).toBe(batch * closed.total);
    expect(count.exact).toBe(true);
    expect(count.byOp.reduce((sum, { flops }) => sum + flops, 0)).toBe(count.total);
  }
}

describe('graph and closed form agree exactly', () => {
  test.each(embeddedPairs)('embedded $graph', (pair) => agrees(embedded, pair));
  test.skipIf(!hasShared).each(ofTexts)(`shared $graph${needsShared}`, (pair) => agrees(sharedModels, pair));
});

const sumOf = (parts: readonly { readonly flops: number }[]) => parts.reduce((sum, { flops }) => sum + flops, 0);
const ofPart = (closed: ForwardFlops, isWanted: (name: string) => boolean) => ({
  matmuls: closed.matmuls.filter(({ name }) => isWanted(name)),
});

describe.skipIf(!hasShared)(`random models${needsShared}`, () => {
  test.each([
    { batch: 1, tokens: 13 },
    { batch: 2, tokens: 128 },
  ])('a decoder with its head over all positions (%o)', ({ batch, tokens }) => {
    const bytes = readFileSync(join(sharedModels, 'random-llama-tiny/onnx/model.onnx'));
    const count = countGraph(bytes, { batch, tokens });
    const closed = forwardFlops({ architecture: llama, head: { kind: 'language-model', positions: 'all' }, tokens });
    expect(explain(count, { ...closed, batch })).toEqual([]);
    expect(count.total).toBe(batch * closed.total);
  });

  test('a head over the last position is the difference in positions, not a missing layer', () => {
    const bytes = readFileSync(join(sharedModels, 'random-llama-tiny/onnx/model.onnx'));
    const count = countGraph(bytes, { batch: 1, tokens: 20 });
    const closed = forwardFlops({
      architecture: llama,
      head: { kind: 'language-model', positions: 'last' },
      tokens: 20,
    });
    const [head] = explain(count, closed).filter(({ op }) => op === 'lm_head');
    expect(head.flops).toBe(19 * 2 * 64 * 2003);
    expect(head.why).toBe('the graph computes it at 20 positions, the closed form at 1');
    expect(sumOf(explain(count, closed))).toBe(count.total - closed.total);
  });

  test('with a cache only new positions are computed, against all keys', () => {
    const bytes = readFileSync(join(sharedModels, 'random-llama-tiny/onnx/model.onnx'));
    const [past, next] = [9, 1];
    const count = countGraph(bytes, { batch: 1, tokens: next, pastTokens: past });
    // metrics.md §D.1: L [ T lin + 4 T (past + T) w ] and the head.
    const lin = 2 * 64 * (2 * 64 + 2 * 32) + 2 * 3 * 64 * 128;
    const expected = 2 * (next * lin + 4 * next * (past + next) * 64) + 2 * next * 64 * 2003;
    expect(count.total).toBe(expected);
  });

  test.each([1, 3, 40])('encoder and decoder, apart, are the parts of one closed form (%i)', (positions) => {
    const head: CostHead = { kind: 'language-model', positions: 'all' };
    const closed = forwardFlops({ architecture: t5, head, tokens: positions, sourceTokens: 57 });
    const read = (name: string) => readFileSync(join(sharedModels, 'random-t5-tiny/onnx', name));
    const encoder = countGraph(read('encoder_model.onnx'), { batch: 1, tokens: 57 });
    const decoder = countGraph(read('decoder_model.onnx'), { batch: 1, tokens: positions, sourceTokens: 57 });
    expect(
      explain(
        encoder,
        ofPart(closed, (name) => name.startsWith('enc.')),
      ),
    ).toEqual([]);
    expect(
      explain(
        decoder,
        ofPart(closed, (name) => !name.startsWith('enc.')),
      ),
    ).toEqual([]);
    expect(encoder.total + decoder.total).toBe(closed.total);
  });

  test('layers are told by the names of weights, and by what products of activations come from', () => {
    for (const [graph, layers] of [
      ['all-minilm-l6-v2/onnx/model.onnx', 6],
      ['bge-small-en-v1.5/onnx/model_int8.onnx', 12],
    ] as const) {
      const { byNode, total } = countGraph(readFileSync(join(sharedModels, graph)), { batch: 1, tokens: 17 });
      for (let layer = 0; layer < layers; layer++) {
        expect(sumOf(byNode.filter((node) => node.layer === layer))).toBe(total / layers);
      }
    }
    const decoder = countGraph(readFileSync(join(sharedModels, 'random-llama-tiny/onnx/model.onnx')), {
      batch: 1,
      tokens: 7,
    });
    const outside = decoder.byNode.filter((node) => node.layer === null);
    expect(outside.map(({ shape }) => shape)).toEqual([[1, 7, 64, 2003]]);
  });
});
