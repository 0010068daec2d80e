import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CountedNode, countGraph, explain, type GraphCount } from '../../../runners/cost/graph/index.js';
import { constantOf } from '../../../runners/cost/graph/tensor.js';
import type { Matmul } from '../../../runners/cost/types.js';
import { int64s, type MiniGraph, type MiniNode, onnx, weights } from './mini-onnx.js';

const ids = { name: 'input_ids', dims: ['batch', 'sequence', 8] };
const big = int64s(
  '',
  Array.from({ length: 16_384 }, (_, i) => i),
);
const call = (name: string, outputs: readonly string[]): MiniNode => ({ op: name, domain: 'd', inputs: [], outputs });
const constant = (tensor: typeof big, result: string): MiniNode => ({
  op: 'Constant',
  inputs: [],
  outputs: [result],
  attributes: { value: { tensor } },
});
const makesBig = { name: 'K', domain: 'd', inputs: [], outputs: ['v'], nodes: [constant(big, 'v')] };

describe('constants', () => {
  test('are read once, however often a function makes them', () => {
    const tensor = { name: '', type: 7, dims: [2], raw: new Uint8Array(16), numbers: [] };
    const { values } = constantOf(tensor, null);
    expect(values).toEqual([0, 0]);
    expect(constantOf(tensor, 3).values).toBe(values);
    expect(constantOf({ ...tensor }, null).values).not.toBe(values);
  });

  test('44,000 calls of a function with a large one are counted', () => {
    const many = Array.from({ length: 220 }, (_, i) => call('K', [`v${i}`]));
    const graph = {
      nodes: Array.from({ length: 200 }, (_, i) => call('L', [`k${i}`])),
      inputs: [ids],
      outputs: [{ name: 'k0' }],
    };
    const bytes = onnx(graph, [makesBig, { name: 'L', domain: 'd', inputs: [], outputs: ['v0'], nodes: many }]);
    expect(countGraph(bytes, { batch: 1, tokens: 8 })).toMatchObject({ total: 0, exact: true });
  });

  test('beyond the share of values they are known by their shape: weights count, what is shaped by them does not', () => {
    const after = [
      constant(int64s('', [0, -1, 8]), 'shape'),
      { op: 'Constant', inputs: [], outputs: ['w'], attributes: { value: { tensor: weights('', 8, 5) } } },
      { op: 'MatMul', inputs: ['input_ids', 'w'], outputs: ['h'] },
      { op: 'Reshape', inputs: ['input_ids', 'shape'], outputs: ['r'] },
      { op: 'MatMul', inputs: ['r', 'w'], outputs: ['out'], name: 'last' },
    ];
    const counted = (calls: number) => {
      const nodes = [...Array.from({ length: calls }, (_, i) => call('K', [`k${i}`])), ...after];
      return countGraph(onnx({ nodes, inputs: [ids], outputs: [{ name: 'out' }] }, [makesBig]), {
        batch: 1,
        tokens: 4,
      });
    };
    expect(counted(1)).toMatchObject({ total: 2 * (2 * 4 * 8 * 5), exact: true });
    expect(counted(250)).toMatchObject({ total: 2 * 4 * 8 * 5, exact: false });
    expect(counted(250).problems.map(({ node }) => node)).toEqual(['last']);
  });
});

const product = (i: number, inner: number, columns: number, isWeight = true): CountedNode => ({
  node: `n${i}`,
  op: 'MatMul',
  part: null,
  layer: null,
  shape: [1, 1, inner, columns],
  times: 1,
  flops: 2 * inner * columns,
  weights: isWeight,
  constant: false,
});
const countOf = (byNode: readonly CountedNode[]): GraphCount => ({
  total: byNode.reduce((sum, { flops }) => sum + flops, 0),
  exact: true,
  byOp: [],
  byNode,
  others: [],
  problems: [],
});
const matmul = (name: string, rows: number, inner: number, columns: number): Matmul => ({
  name,
  part: 'body',
  shape: [1, rows, inner, columns],
  count: 1,
  flops: 2 * rows * inner * columns,
});

describe('explaining as many products as a graph holds', () => {
  const sizes = Array.from({ length: 50_000 }, (_, i) => i + 2);

  test.each([true, false])('50,000 of distinct sizes against nothing, and against others; weights: %s', (isWeight) => {
    const count = countOf(sizes.map((inner, i) => product(i, inner, 1, isWeight)));
    expect(explain(count, { matmuls: [] })).toHaveLength(50_000);
    // Of other sizes altogether, and of the same at twice the positions.
    const others = sizes.map((inner) => matmul('other', 1, inner + 50_000, 3));
    expect(explain(count, { matmuls: others })).toHaveLength(50_001);
    const twice = explain(count, { matmuls: sizes.map((inner) => matmul(`m${inner}`, 2, inner, 1)) });
    expect(twice.reduce((sum, { flops }) => sum + flops, 0)).toBe(-count.total);
    const bands = sizes.map((inner) => ({ ...matmul('scores_qk', 1, inner, 1), shape: null, flops: 2 * inner + 2 }));
    const seen = explain(count, { matmuls: bands }).reduce((sum, { flops }) => sum + flops, 0);
    expect(seen).toBe(count.total - bands.reduce((sum, { flops }) => sum + flops, 0));
  });

  test('the first of its size in the closed form is taken first', () => {
    const closed = [
      ['a', 3],
      ['b', 5],
      ['c', 7],
    ] as const;
    const size = fc.integer({ min: 1, max: 3 });
    fc.assert(
      fc.property(size, size, fc.integer({ min: 1, max: 2 }), (inner, columns, nodes) => {
        const count = countOf(Array.from({ length: nodes }, (_, i) => product(i, inner, columns)));
        const matmuls = closed.map(([name, rows]) => matmul(name, rows, inner, columns));
        const found = explain(count, { matmuls }).filter(({ why }) => why.includes('positions'));
        expect(found.map(({ op }) => op)).toEqual(['a', 'b'].slice(0, nodes));
      }),
    );
  });
});

describe('windows that cannot be', () => {
  const conv = (attributes: MiniNode['attributes'], size: number | string = 6) =>
    countGraph(
      onnx({
        nodes: [{ op: 'Conv', inputs: ['x', 'w'], outputs: ['out'], name: 'conv', attributes: attributes ?? {} }],
        tensors: [weights('w', 2, 3, 4)],
        inputs: [{ name: 'x', dims: [1, 3, size] }],
        outputs: [{ name: 'out' }],
      }),
      { batch: 1, tokens: 4 },
    );

  test.each([
    [{ strides: { ints: [-1] } }, 'a stride of -1'],
    [{ strides: { ints: [0] } }, 'a stride of 0'],
    [{ dilations: { ints: [0] } }, 'a dilation of 0'],
    [{ pads: { ints: [-3, 0] } }, 'a window of 4 has no place in 3'],
    [{ pads: { ints: [-50, 1] } }, 'a window of 4 has no place in -43'],
  ])('%j is a problem of the node', (attributes, reason) => {
    expect(conv(attributes)).toMatchObject({ total: 0, exact: false });
    expect(conv(attributes).problems).toEqual([{ node: 'conv', op: 'Conv', why: `not counted: ${reason}` }]);
  });

  test('one place is enough, and nothing in is nothing out', () => {
    expect(conv({ pads: { ints: [-2, 0] } })).toMatchObject({ total: 2 * 3 * 4 * 2, exact: true });
    expect(conv({}, 0)).toMatchObject({ total: 0, exact: true });
  });
});

const callOf = (name: string, result: string): MiniNode => ({
  op: name,
  domain: 'mine',
  inputs: ['x'],
  outputs: [result],
});
const calling: MiniGraph = {
  nodes: [{ ...callOf('f0', 'out'), inputs: ['input_ids'] }],
  inputs: [ids],
  outputs: [{ name: 'out' }],
};

test('functions that call each other without end, or too often, end', () => {
  const self = { name: 'f0', domain: 'mine', inputs: ['x'], outputs: ['y'], nodes: [callOf('f0', 'y')] };
  const count = countGraph(onnx(calling, [self]), { batch: 1, tokens: 4 });
  expect(count.exact).toBe(false);
  expect(count.problems[0].why).toContain('deep');
  const many = Array.from({ length: 40 }, (_, i) => ({
    name: `f${i}`,
    domain: 'mine',
    inputs: ['x'],
    outputs: ['y'],
    nodes: [callOf(`f${i + 1}`, 'z'), callOf(`f${i + 1}`, 'y')],
  }));
  const bomb = countGraph(onnx(calling, many), { batch: 1, tokens: 4 });
  expect(bomb.exact).toBe(false);
  expect(bomb.problems.some(({ why }) => why.includes('too often'))).toBe(true);
});
