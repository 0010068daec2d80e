import { describe, expect, test } from 'vitest';
import { TenbinError } from '../../../core/errors.js';
import { type CountRequest, countGraph } from '../../../runners/cost/graph/index.js';
import { int64s, type MiniAttribute, type MiniGraph, type MiniNode, type MiniTensor, onnx } from './mini-onnx.js';

const one: CountRequest = { batch: 1, tokens: 4 };
const weights = (name: string, ...dims: number[]): MiniTensor => ({ name, dims });
const ids = { name: 'input_ids', dims: ['batch', 'sequence', 8] };
const matMul = (a: string, b: string, out: string, name = ''): MiniNode => ({
  op: 'MatMul',
  inputs: [a, b],
  outputs: [out],
  name,
});
const counted = (graph: MiniGraph, request = one) => countGraph(onnx(graph), request);
const int = (value: number): MiniAttribute => ({ int: value });

describe('what is counted', () => {
  test('2 · batch · rows · inner · columns, and nothing for the bias', () => {
    const count = counted(
      {
        nodes: [
          matMul('input_ids', 'w', 'h', '/encoder/layer.3/up'),
          { op: 'Add', inputs: ['h', 'b'], outputs: ['out'] },
        ],
        tensors: [weights('w', 8, 5), weights('b', 5)],
        inputs: [ids],
        outputs: [{ name: 'out' }],
      },
      { batch: 3, tokens: 4 },
    );
    expect(count).toEqual({
      total: 2 * 3 * 4 * 8 * 5,
      exact: true,
      byOp: [{ op: 'MatMul', count: 1, flops: 960 }],
      byNode: [
        {
          node: '/encoder/layer.3/up',
          op: 'MatMul',
          part: null,
          layer: 3,
          shape: [3, 4, 8, 5],
          times: 1,
          flops: 960,
          weights: true,
          constant: false,
        },
      ],
      others: [{ op: 'Add', count: 1 }],
      problems: [],
    });
  });

  test('what depends on constants alone runs at loading, and is listed apart', () => {
    const count = counted({
      nodes: [matMul('a', 'b', 'ab'), matMul('input_ids', 'ab', 'out')],
      tensors: [weights('a', 8, 2), weights('b', 2, 6)],
      inputs: [ids],
      outputs: [{ name: 'out' }],
    });
    expect(count.byNode.map(({ constant, flops }) => ({ constant, flops }))).toEqual([
      { constant: true, flops: 2 * 8 * 2 * 6 },
      { constant: false, flops: 2 * 4 * 8 * 6 },
    ]);
    expect(count.total).toBe(384);
    expect(count.byOp).toEqual([{ op: 'MatMul', count: 1, flops: 384 }]);
  });

  test('no texts and no tokens are no FLOPs', () => {
    const graph = {
      nodes: [matMul('input_ids', 'w', 'out')],
      tensors: [weights('w', 8, 5)],
      inputs: [ids],
      outputs: [{ name: 'out' }],
    };
    expect(counted(graph, { batch: 0, tokens: 4 })).toMatchObject({ total: 0, exact: true });
    expect(counted(graph, { batch: 2, tokens: 0 })).toMatchObject({ total: 0, exact: true });
  });

  test('beyond 2^53 the sum is rounded, and says so', () => {
    const graph = {
      nodes: [matMul('input_ids', 'w', 'out')],
      tensors: [weights('w', 8, 1)],
      inputs: [ids],
      outputs: [{ name: 'out' }],
    };
    const below = counted(graph, { batch: 2 ** 20, tokens: 2 ** 28 });
    expect(below).toMatchObject({ total: 2 ** 52, exact: true });
    const above = counted(graph, { batch: 2 ** 20, tokens: 2 ** 29 });
    expect(above).toMatchObject({ total: 2 ** 53, exact: false });
    expect(above.problems[0].why).toContain('2^53');
  });
});

/** Products of fused operators, against the same attention written out (metrics.md §D.1). */
describe('fused attention', () => {
  const [batch, tokens, past, heads, size] = [2, 5, 3, 4, 6];
  const width = heads * size;
  const scores = (queries: number, keys: number) => 2 * 2 * batch * heads * queries * keys * size;
  const value = (name: string, ...dims: (number | string)[]) => ({ name, dims });
  const hidden = value('hidden_states', 'batch', 'sequence', width);
  const kv = (name: string, many = heads) => value(name, 'batch', many, 'past_sequence', size);
  const request = { batch, tokens, pastTokens: past };
  const node = (
    op: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, MiniAttribute>>,
    domain = 'com.microsoft',
  ): MiniNode => ({
    op,
    domain,
    inputs,
    outputs: ['out', 'present', 'present_value'],
    attributes,
  });
  const total = (one: MiniNode, inputs: MiniGraph['inputs'], tensors: readonly MiniTensor[] = []) => {
    const count = counted({ nodes: [one], inputs: inputs ?? [], tensors, outputs: [{ name: 'out' }] }, request);
    expect(count.problems).toEqual([]);
    return count.total;
  };

  test('Attention and QAttention project queries, keys and values', () => {
    const qkv = 2 * batch * tokens * width * 3 * width;
    const attributes = { num_heads: int(heads) };
    expect(
      total(
        node('Attention', ['hidden_states', 'w', 'b'], attributes),
        [hidden],
        [weights('w', width, 3 * width), weights('b', 3 * width)],
      ),
    ).toBe(qkv + scores(tokens, tokens));
    const cached = node('QAttention', ['hidden_states', 'w', 'b', '', '', '', '', '', 'past'], attributes);
    const cache = value('past', 2, batch, heads, past, size);
    expect(total(cached, [hidden, cache], [weights('w', width, 3 * width), weights('b', 3 * width)])).toBe(
      qkv + scores(tokens, past + tokens),
    );
  });

  test('MultiHeadAttention attends to what it is given and to its cache', () => {
    const attributes = { num_heads: int(heads) };
    const [q, k, v] = ['q', 'k', 'v'].map((name) => value(`${name}_tokens`, 'batch', 'sequence', width));
    expect(total(node('MultiHeadAttention', ['q_tokens', 'k_tokens', 'v_tokens'], attributes), [q, k, v])).toBe(
      scores(tokens, tokens),
    );
    const cached = node(
      'MultiHeadAttention',
      ['q_tokens', 'k_tokens', 'v_tokens', '', '', '', 'past_k', 'past_v'],
      attributes,
    );
    expect(total(cached, [q, k, v, kv('past_k'), kv('past_v')])).toBe(scores(tokens, past + tokens));
    const packed = value('qkv_tokens', 'batch', 'sequence', heads, 3, size);
    expect(total(node('MultiHeadAttention', ['qkv_tokens'], attributes), [packed])).toBe(scores(tokens, tokens));
  });

  test('GroupQueryAttention: shared keys spare no product, a window does', () => {
    const attributes = { num_heads: int(heads), kv_num_heads: int(2) };
    const [k, v] = ['k', 'v'].map((name) => value(`${name}_tokens`, 'batch', 'sequence', 2 * size));
    const inputs = ['hidden_states', 'k_tokens', 'v_tokens', 'past_k', 'past_v'];
    const fed = [hidden, k, v, kv('past_k', 2), kv('past_v', 2)];
    expect(total(node('GroupQueryAttention', inputs, attributes), fed)).toBe(scores(tokens, past + tokens));
    expect(total(node('GroupQueryAttention', inputs, { ...attributes, local_window_size: int(4) }), fed)).toBe(
      scores(tokens, 4),
    );
    const packed = value('packed_tokens', 'batch', 'sequence', (heads + 4) * size);
    expect(
      total(node('GroupQueryAttention', ['packed_tokens', '', '', 'past_k', 'past_v'], attributes), [
        packed,
        ...fed.slice(3),
      ]),
    ).toBe(scores(tokens, past + tokens));
  });

  test('Attention of ONNX 23, in three axes and in four', () => {
    const flat = { q_num_heads: int(heads), kv_num_heads: int(heads) };
    const [q, k, v] = ['q', 'k', 'v'].map((name) => value(`${name}_tokens`, 'batch', 'sequence', width));
    expect(total(node('Attention', ['q_tokens', 'k_tokens', 'v_tokens'], flat, ''), [q, k, v])).toBe(
      scores(tokens, tokens),
    );
    const [q4, k4, v4] = ['q', 'k', 'v'].map((name) => value(name, 'batch', heads, 'sequence', size));
    const cached = node('Attention', ['q', 'k', 'v', '', 'past_k', 'past_v'], {}, '');
    expect(total(cached, [q4, k4, v4, kv('past_k'), kv('past_v')])).toBe(scores(tokens, past + tokens));
  });

  test('mixture of experts: each token through k of them, gate and all; quantized weights are unpacked', () => {
    const tensors = [
      weights('up', 8, 2 * width, width),
      weights('down', 8, width, 2 * width),
      weights('gate', 8, 2 * width, width),
    ];
    const router = value('router_tokens', 'batch', 'sequence', 8);
    const moe = node('MoE', ['hidden_states', 'router_tokens', 'up', '', 'down', '', 'gate'], { k: int(2) });
    const each = 2 * batch * tokens * 2 * width * 2 * width;
    expect(total(moe, [hidden, router], tensors)).toBe(3 * each);
    const packed = [weights('up4', 8, 2 * width, width / 2), weights('down4', 8, width, width)];
    const qmoe = node('QMoE', ['hidden_states', 'router_tokens', 'up4', 's', '', 'down4', 's'], { k: int(2) });
    expect(total(qmoe, [hidden, router], [...packed, weights('s', 8)])).toBe(2 * each);
  });

  test('MatMulNBits: sizes are attributes, weights are packed', () => {
    const bits = node('MatMulNBits', ['hidden_states', 'w', 's'], {
      K: int(width),
      N: int(7),
      bits: int(4),
      block_size: int(32),
    });
    expect(total(bits, [hidden], [weights('w', 7, 1, 16), weights('s', 7)])).toBe(2 * batch * tokens * width * 7);
  });
});

test('other sizes of the inputs than are asked for are refused, unknown ones asked for', () => {
  const fixed = {
    nodes: [matMul('input_ids', 'w', 'out')],
    tensors: [weights('w', 8, 5)],
    inputs: [{ name: 'input_ids', dims: [1, 4, 8] }],
    outputs: [{ name: 'out' }],
  };
  expect(counted(fixed).total).toBe(320);
  const fixedIds = {
    ...fixed,
    nodes: [{ op: 'Identity', inputs: ['input_ids'], outputs: ['out'] }],
    inputs: [{ name: 'input_ids', dims: [1, 128] }],
  };
  expect(() => counted(fixedIds)).toThrow(/exported for one size: axis 1 of its input input_ids is 128/);
  const odd = { ...fixed, inputs: [{ name: 'input_ids', dims: ['batch', 'sequence', 'depth'] }] };
  expect(() => counted(odd)).toThrow(/axis 2 of the graph's input input_ids: depth/);
  expect(counted(odd, { ...one, inputs: { input_ids: [1, 4, 8] } }).total).toBe(320);
  expect(() => counted(odd, { ...one, inputs: { input_ids: [1, 4] } })).toThrow(TenbinError);
  expect(() => counted(fixed, { batch: 1.5, tokens: 4 })).toThrow(/batch is no size: 1.5/);
  expect(() => counted(fixed, { batch: 1, tokens: -1 })).toThrow(/tokens is no size: -1/);
  expect(() => counted(odd, { ...one, inputs: { input_ids: [1, 4, Number.NaN] } })).toThrow(/no size: NaN/);
});

test('names are no properties: __proto__ is a tensor like another', () => {
  const graph = {
    nodes: [matMul('__proto__', 'constructor', 'toString')],
    tensors: [weights('constructor', 8, 5)],
    inputs: [{ name: '__proto__', dims: ['batch', 'sequence', 8] }],
    outputs: [{ name: 'toString' }],
  };
  expect(counted(graph)).toMatchObject({ total: 320, exact: true });
  const axes = {
    nodes: [{ op: 'Squeeze', inputs: ['input_ids', 'axes'], outputs: ['s'] }, matMul('s', 'w', 'out')],
    tensors: [int64s('axes', [0]), weights('w', 8, 5)],
    inputs: [ids],
    outputs: [{ name: 'out' }],
  };
  expect(counted(axes)).toMatchObject({ total: 320, exact: true });
});
