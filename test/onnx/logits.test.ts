import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHalf } from '../../runners/backends/onnx/half.js';
import type { Reading } from '../../runners/backends/onnx/job.js';
import { batchOf } from '../../runners/backends/onnx/padding.js';
import { openSession } from '../../runners/backends/onnx/session.js';
import { hasShared, llamaTiny, readJson, sharedModels, t5Tiny } from './cards.js';
import { lookup, type MiniGraph } from './mini-graph.js';
import { needsShared } from './references.js';
import { job, opened, request } from './run-graph.js';

describe('half precision', () => {
  test('all 65,536 patterns: monotone, symmetric, and as the format defines them', () => {
    const all = fromHalf(Uint16Array.from({ length: 65_536 }, (_, pattern) => pattern));
    for (let pattern = 1; pattern <= 0x7c00; pattern++) {
      expect(all[pattern]).toBeGreaterThan(all[pattern - 1]);
      expect(all[pattern | 0x8000]).toBe(-all[pattern]);
    }
    for (let pattern = 0x7c01; pattern < 0x8000; pattern++) expect(all[pattern]).toBeNaN();
    expect([all[0x0001], all[0x03ff], all[0x0400], all[0x3c00], all[0x3c01], all[0x7bff], all[0x7c00]]).toEqual([
      2 ** -24,
      1023 * 2 ** -24,
      2 ** -14,
      1,
      1 + 2 ** -10,
      65_504,
      Number.POSITIVE_INFINITY,
    ]);
    expect(Object.is(all[0x8000], -0)).toBe(true);
  });

  test('every number that float16 can hold comes back', () => {
    // The one step of ours in the other direction, to have an oracle: round trips through ONNX Runtime are tested above.
    fc.assert(
      fc.property(fc.integer({ min: -14, max: 15 }), fc.nat(1023), fc.boolean(), (exponent, fraction, negative) => {
        const pattern = ((exponent + 15) << 10) | fraction | (negative ? 0x8000 : 0);
        const value = (negative ? -1 : 1) * (1 + fraction / 1024) * 2 ** exponent;
        expect(fromHalf(Uint16Array.of(pattern))[0]).toBe(value);
      }),
    );
  });
});

describe('logits, on a graph that looks them up', () => {
  const logits = lookup(
    [
      [1, -2, 3],
      [0.5, 4, -1],
      [2, 2, 2],
      [-1, -1, -3],
    ],
    'logits',
  );
  const margins = (reading: Reading, ...all: readonly (readonly number[])[]) =>
    opened(logits, async ({ run }) => {
      const result = await run(job(reading, ...all));
      return result.kind === 'margins' ? [...result.values] : [];
    });

  test('two words at the last position of each row', async () => {
    expect(await margins({ kind: 'words', yes: 2, no: 0 }, [0, 1], [3, 2, 0], [2])).toEqual([-1.5, 2, 0]);
  });

  test('mean log-probability, against the definition', async () => {
    const table = [
      [1, -2, 3],
      [0.5, 4, -1],
      [2, 2, 2],
    ];
    const logP = (row: number, token: number) =>
      Math.log(Math.exp(table[row][token]) / table[row].reduce((sum, x) => sum + Math.exp(x), 0));
    const reading: Reading = {
      kind: 'likelihood',
      offsets: Int32Array.of(0, 2, 3, 3),
      positions: Int32Array.of(0, 1, 0),
      tokens: Int32Array.of(2, 0, 1),
    };
    const [first, second, none] = await margins(reading, [0, 1], [2], [1]);
    expect(first).toBeCloseTo((logP(0, 2) + logP(1, 0)) / 2, 12);
    expect(second).toBeCloseTo(Math.log(1 / 3), 12);
    expect(none).toBe(0);
  });

  test('huge logits do not overflow', async () => {
    const huge = lookup([[1e4, -1e4]], 'logits');
    const reading: Reading = {
      kind: 'likelihood',
      offsets: Int32Array.of(0, 1),
      positions: Int32Array.of(0),
      tokens: Int32Array.of(1),
    };
    await opened(huge, async ({ run }) => {
      expect(await run(job(reading, [0]))).toMatchObject({ values: Float64Array.of(-2e4) });
    });
  });

  test('weights of a vocabulary: maximum, relu, logarithm, without skipped ids; NaN stays to be seen', async () => {
    const sparse = (graph: MiniGraph, skip: readonly number[], ...all: readonly (readonly number[])[]) =>
      opened(graph, async ({ run }) => run(job({ kind: 'sparse', logarithms: 1, skip }, ...all)));
    const of = (...values: readonly number[]) => Float32Array.from(values, Math.log1p);
    expect(await sparse(logits, [], [0, 1], [3])).toEqual({
      kind: 'sparse',
      termCount: 3,
      offsets: Int32Array.of(0, 3, 3),
      terms: Int32Array.of(0, 1, 2),
      weights: of(1, 4, 3),
    });
    expect(await sparse(logits, [1], [0, 1])).toMatchObject({ terms: Int32Array.of(0, 2), weights: of(1, 3) });
    const broken = lookup(
      [
        [Number.NaN, 1],
        [2, 1],
      ],
      'logits',
    );
    expect(await sparse(broken, [], [0, 1])).toMatchObject({
      terms: Int32Array.of(0, 1),
      weights: Float32Array.of(Number.NaN, Math.log(2)),
    });
  });

  test('a graph that keeps the last position only is refused, not read wrongly', async () => {
    const base = lookup([[1, 2]], 'all');
    const index = { name: 'at', type: 'int64' as const, dims: [1], data: new Uint8Array(BigInt64Array.of(-1n).buffer) };
    const last = { op: 'Gather', inputs: ['all', 'at'], outputs: ['logits'], ints: { axis: 1 } };
    const graph = {
      ...base,
      nodes: [...base.nodes, last],
      tensors: [...(base.tensors ?? []), index],
      outputs: [{ ...base.outputs[0], name: 'logits' }],
    };
    await opened(graph, async ({ run }) => {
      await expect(run(job({ kind: 'words', yes: 0, no: 1 }, [0, 0]))).rejects.toThrow(
        /another number of rows or positions.*\[1, 1, 2\] for 1 × 2/,
      );
    });
  });
});

describe.skipIf(!hasShared)(`language models of ../shared${needsShared}`, () => {
  /** log softmax of one token from logits that the original library gave. */
  const logSoftmax = (logits: readonly number[], token: number) =>
    logits[token] - Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
  const lastOf = (tokens: readonly number[], position: number): Reading => ({
    kind: 'likelihood',
    offsets: Int32Array.from({ length: tokens.length + 1 }, (_, i) => i),
    positions: Int32Array.from(tokens, () => position),
    tokens: Int32Array.from(tokens),
  });

  test('T5: encoder and decoder in one job give the reference logits, padded or not', async () => {
    const { cases } = readJson(sharedModels, t5Tiny.id, 'reference/logits.json');
    const at = (name: string) => join(sharedModels, t5Tiny.id, 'onnx', name);
    const session = await openSession(request(at('decoder_model.onnx'), { encoderPath: at('encoder_model.onnx') }));
    const names = Object.keys(cases);
    const decoder = () => batchOf(names.map((name) => ({ ids: cases[name].decoderIds })));
    const batch = () => batchOf(names.map((name) => ({ ids: cases[name].ids })));
    for (const token of [0, 1, 437, 1999]) {
      const reading = lastOf(
        names.map(() => token),
        cases[names[0]].decoderIds.length - 1,
      );
      const result = await session.run({ batch: batch(), decoder: decoder(), reading });
      const expected = names.map((name) => logSoftmax(cases[name].decoderLastLogits, token));
      if (result.kind !== 'margins') throw new Error(result.kind);
      result.values.forEach((value, i) => {
        expect(Math.abs(value - expected[i])).toBeLessThan(1e-4);
      });
    }
    await session.close();
  });

  test('Llama: the logits of the last position, caches empty', async () => {
    const { cases } = readJson(sharedModels, llamaTiny.id, 'reference/logits.json');
    const session = await openSession(request(join(sharedModels, llamaTiny.id, 'onnx/model.onnx')));
    const names = Object.keys(cases);
    const result = await session.run({
      batch: batchOf(names.map((name) => ({ ids: cases[name].ids }))),
      reading: { kind: 'words', yes: 305, no: 293 },
      decoder: null,
    });
    await session.close();
    if (result.kind !== 'margins') throw new Error(result.kind);
    result.values.forEach((value, i) => {
      const { lastLogits } = cases[names[i]];
      expect(Math.abs(value - (lastLogits[305] - lastLogits[293]))).toBeLessThan(1e-4);
    });
  });
});
