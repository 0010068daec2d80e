import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countGraphFile } from '../../../runners/backends/graph-count/index.js';
import { forwardFlops } from '../../../runners/cost/forward.js';
import { type CountedNode, explain, type GraphCount, type ProductShape } from '../../../runners/cost/graph/index.js';
import type { Matmul } from '../../../runners/cost/types.js';
import { onnx } from './mini-onnx.js';

const flopsOf = (shape: readonly number[]) => 2 * shape.reduce((product, size) => product * size, 1);
const node = (name: string, shape: ProductShape, weights = true): CountedNode => ({
  node: name,
  op: 'MatMul',
  part: null,
  layer: null,
  shape,
  times: 1,
  flops: flopsOf(shape),
  weights,
  constant: false,
});
const counted = (byNode: readonly CountedNode[]): GraphCount => ({
  total: byNode.reduce((sum, { flops }) => sum + flops, 0),
  exact: true,
  byOp: [],
  byNode,
  others: [],
  problems: [],
});
const matmul = (name: string, shape: ProductShape, count = 1, part: Matmul['part'] = 'body'): Matmul => ({
  name,
  part,
  shape,
  count,
  flops: count * flopsOf(shape),
});
const sumOf = (list: readonly { readonly flops: number }[]) => list.reduce((sum, { flops }) => sum + flops, 0);

describe('what differs is said product by product', () => {
  test('nothing differs where all layers are there, joined or apart', () => {
    const closed = {
      matmuls: [
        matmul('q_proj', [1, 9, 8, 8], 2),
        matmul('k_proj', [1, 9, 8, 8], 2),
        matmul('v_proj', [1, 9, 8, 4], 2),
      ],
    };
    const fused = counted([node('qkv.0', [1, 9, 8, 20]), node('qkv.1', [1, 9, 8, 20])]);
    expect(explain(fused, closed)).toEqual([]);
    const batched = counted(
      closed.matmuls.flatMap((one) => Array.from({ length: 2 }, () => node('n', [3, 9, 8, one.shape?.[3] ?? 0]))),
    );
    expect(explain(batched, { ...closed, batch: 3 })).toEqual([]);
    expect(explain(counted([]), { matmuls: [] })).toEqual([]);
  });

  test('constants, rotary angles, unknown layers and products of activations', () => {
    const count = counted([
      { ...node('folded', [1, 2, 3, 4]), constant: true },
      node('angles', [1, 16, 1, 9]),
      node('adapter.0', [1, 9, 8, 2]),
      node('mixed', [1, 9, 9, 8], false),
    ]);
    const found = explain(count, { matmuls: [] });
    expect(found.map(({ op, flops }) => ({ op, flops }))).toEqual([
      { op: 'angles', flops: 288 },
      { op: 'adapter.0', flops: 288 },
      { op: 'mixed', flops: 1296 },
    ]);
    expect(found.map(({ why }) => /rotary|with weights|two activations/.exec(why)?.[0])).toEqual([
      'rotary',
      'with weights',
      'two activations',
    ]);
  });

  test('a head that the graph lacks, one at other positions, and a layer that is missing', () => {
    const closed = {
      matmuls: [
        matmul('up', [1, 9, 8, 32], 2),
        matmul('lm_head', [1, 1, 8, 100], 1, 'head'),
        matmul('pooler', [1, 1, 8, 8], 1, 'head'),
      ],
    };
    const count = counted([node('up.0', [1, 9, 8, 32]), node('head', [1, 9, 8, 100])]);
    expect(explain(count, closed)).toEqual([
      { op: 'lm_head', flops: 8 * 2 * 800, why: 'the graph computes it at 9 positions, the closed form at 1' },
      { op: 'up', flops: -9 * 2 * 256, why: 'not in the graph, or in a node that could not be counted' },
      { op: 'pooler', flops: -128, why: 'not in the graph: what follows its outputs is computed outside of it' },
    ]);
  });

  test('a graph multiplies all pairs where the closed form counts the band of a window', () => {
    const architecture = {
      kind: 'encoder',
      layers: 3,
      hidden: 16,
      heads: 2,
      feedForward: 32,
      gated: false,
      vocabulary: 50,
      window: 4,
      localLayers: 2,
    } as const;
    const tokens = 20;
    const closed = forwardFlops({ architecture, head: { kind: 'none' }, tokens });
    const dense = forwardFlops({ architecture: { ...architecture, localLayers: 0 }, head: { kind: 'none' }, tokens });
    const nodes = dense.matmuls.flatMap(({ name, shape, count }) =>
      Array.from({ length: count }, () => node(name, shape ?? [0, 0, 0, 0], !/scores|weights_v/.test(name))),
    );
    const [band, ...rest] = explain(counted(nodes), closed);
    expect(rest).toEqual([]);
    // Pairs within two positions to each side: 20 · 5 less the corners, 3 at each end twice.
    expect(band.flops).toBe(2 * 2 * 2 * 16 * (20 * 20 - (20 * 5 - 6)));
    expect(band.why).toContain('window');
  });

  test('the parts always add up to the difference', () => {
    const small = fc.integer({ min: 1, max: 4 });
    const shape = fc.tuple(small, small, small, small);
    const nodes = fc.array(fc.tuple(shape, fc.boolean()), { maxLength: 8 });
    const names = fc.constantFrom('up', 'scores_qk', 'weights_v', 'lm_head');
    const parts = fc.array(
      fc.tuple(names, shape, small, fc.constantFrom('body' as const, 'head' as const), fc.boolean()),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(nodes, parts, small, (graph, closed, batch) => {
        const count = counted(graph.map(([size, weights], i) => node(`n${i % 3}`, size, weights)));
        const matmuls = closed.map(([name, size, times, part, band]) => ({
          ...matmul(name, size, times, part),
          ...(band ? { shape: null } : {}),
        }));
        const found = explain(count, { matmuls, batch });
        expect(sumOf(found)).toBe(count.total - batch * sumOf(matmuls));
        for (const { flops, why } of found) expect([flops === 0, why === '']).toEqual([false, false]);
      }),
    );
  });
});

test('a graph is counted from its file, and every error names it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenbin-graph-'));
  const path = join(folder, 'model.onnx');
  const nodes = [{ op: 'MatMul', inputs: ['input_ids', 'w'], outputs: ['out'] }];
  writeFileSync(
    path,
    onnx({
      nodes,
      tensors: [{ name: 'w', dims: [8, 5] }],
      inputs: [{ name: 'input_ids', dims: ['batch', 'sequence', 8] }],
      outputs: [{ name: 'out' }],
    }),
  );
  expect((await countGraphFile(path, { batch: 2, tokens: 3 })).total).toBe(480);
  await expect(countGraphFile(join(folder, 'none.onnx'), { batch: 1, tokens: 1 })).rejects.toThrow(
    /no such graph: .*none\.onnx/,
  );
  for (const [name, bytes] of [
    ['empty.onnx', Buffer.alloc(0)],
    ['half.onnx', readFileSync(path).subarray(0, 60)],
    ['page.onnx', Buffer.from('<!doctype html>')],
  ] as const) {
    writeFileSync(join(folder, name), bytes);
    await expect(countGraphFile(join(folder, name), { batch: 1, tokens: 1 })).rejects.toThrow(
      new RegExp(`no ONNX graph: .*${name} \\(.+\\)\\. Name`),
    );
  }
  const wrongUse = countGraphFile(path, { batch: 1, tokens: 1.5 });
  await expect(wrongUse).rejects.toMatchObject({ code: 'usage', parts: { value: '1.5' } });
  await expect(countGraphFile(folder, { batch: 1, tokens: 1 })).rejects.toMatchObject({ code: 'io' });
  rmSync(folder, { recursive: true });
});
