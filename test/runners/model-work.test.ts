import { expect, test } from 'vitest';
import { passFlops } from '../../runners/cost/pass.js';
import { modelWork } from '../../runners/model-work.js';
import { bertTiny } from '../../runners/models/cards/shapes.js';
import { fakeModel } from '../models/fake-models.js';

const cost = { architecture: bertTiny, head: { kind: 'none' } } as const;
const model = { ...fakeModel('dense'), cost };
const facts = { counts: Int32Array.of(5, 9), truncated: new Uint8Array(2), widths: Int32Array.of(9, 9) };

test('counts the tokens that a text has, and beside them the positions of its batch', () => {
  const [five, nine] = [passFlops(cost, { tokens: 5 }), passFlops(cost, { tokens: 9 })];
  expect(modelWork(model, facts, 0)).toEqual({ tokens: 5, flops: five, paddingFlops: nine - five });
  expect(modelWork(model, facts, 1)).toEqual({ tokens: 9, flops: nine, paddingFlops: 0 });
});

test('says no more than is known', () => {
  const { widths: _, ...noWidths } = facts;
  expect(modelWork(model, noWidths, 0)).toEqual({ tokens: 5, flops: passFlops(cost, { tokens: 5 }) });
  expect(modelWork(fakeModel('dense'), facts, 0)).toEqual({ tokens: 5 });
});

test('a text that no graph saw was looked up', () => {
  const looked = { ...facts, widths: Int32Array.of(0, 9) };
  expect(modelWork(model, looked, 0)).toEqual({ tokens: 5, flops: 0, lookUps: 5 });
  const none = { counts: Int32Array.of(0), truncated: new Uint8Array(1), widths: Int32Array.of(0) };
  const read = { ...none, lookUps: Int32Array.of(7) };
  expect(modelWork(model, read, 0)).toEqual({ tokens: 0, flops: 0, lookUps: 7 });
});

test('an encoder-decoder is told which tokens were whose', () => {
  const t5 = {
    architecture: { ...bertTiny, kind: 'encoder-decoder', decoderLayers: 2, headSize: 64 },
    head: { kind: 'language-model', positions: 'read' },
  } as const;
  const both = {
    counts: Int32Array.of(12),
    truncated: new Uint8Array(1),
    widths: Int32Array.of(10),
    decoderCounts: Int32Array.of(4),
    decoderWidths: Int32Array.of(6),
    predicted: Int32Array.of(3),
  };
  expect(modelWork({ ...model, cost: t5 }, both, 0)).toEqual({
    tokens: 12,
    flops: passFlops(t5, { tokens: 8, decoderTokens: 4, read: 3 }),
    paddingFlops:
      passFlops(t5, { tokens: 10, decoderTokens: 6, read: 3 }) -
      passFlops(t5, { tokens: 8, decoderTokens: 4, read: 3 }),
  });
});
