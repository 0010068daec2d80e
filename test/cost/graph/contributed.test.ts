import { InferenceSession } from 'onnxruntime-node';
import { describe, expect, test } from 'vitest';
import { readModel } from '../../../runners/cost/graph/onnx/read-model.js';
import { walkModel } from '../../../runners/cost/graph/walk-model.js';
import { type MiniAttribute, type MiniTensor, type MiniValue, onnx } from './mini-onnx.js';
import { ones } from './profile.js';

const [batch, tokens, past, heads, shared, size] = [2, 5, 3, 4, 2, 8];
const width = heads * size;

interface Fed {
  readonly dims: readonly number[];
  readonly type?: MiniValue['type'];
}
interface Contributed {
  readonly op: string;
  readonly domain?: string;
  /** By name; an empty one is left out, a name that repeats is one input. */
  readonly inputs: readonly (readonly [string, Fed])[];
  readonly constants?: readonly MiniTensor[];
  readonly attributes?: Readonly<Record<string, MiniAttribute>>;
  readonly outputs: readonly string[];
}

const int = (value: number): MiniAttribute => ({ int: value });
const hidden: Fed = { dims: [batch, tokens, width] };
const cache = (many: number): Fed => ({ dims: [batch, many, past, size] });
const filled = (name: string, ...dims: number[]): MiniTensor => ({
  name,
  dims,
  float: new Array<number>(dims.reduce((product, one) => product * one, 1)).fill(0.5),
});
const left = ['', { dims: [] }] as const;
const keys: Fed = { dims: [batch, tokens, shared * size] };
const state = ['x', hidden] as const;

const contributed: readonly Contributed[] = [
  {
    op: 'Attention',
    inputs: [state],
    constants: [filled('w', width, 3 * width), filled('b', 3 * width)],
    attributes: { num_heads: int(heads) },
    outputs: ['out'],
  },
  {
    op: 'MultiHeadAttention',
    inputs: [state, ['k', hidden], ['v', hidden], left, left, left, ['pk', cache(heads)], ['pv', cache(heads)]],
    attributes: { num_heads: int(heads) },
    outputs: ['out', 'present_k', 'present_v'],
  },
  {
    op: 'GroupQueryAttention',
    inputs: [
      state,
      ['k', keys],
      ['v', keys],
      ['pk', { dims: [batch, shared, 0, size] }],
      ['pv', { dims: [batch, shared, 0, size] }],
      ['lengths', { dims: [batch], type: 'int32' }],
      ['total', { dims: [], type: 'int32' }],
    ],
    attributes: { num_heads: int(heads), kv_num_heads: int(shared) },
    outputs: ['out', 'present_k', 'present_v'],
  },
  {
    op: 'Attention',
    domain: '',
    inputs: [state, ['k', keys], ['v', keys], left, ['pk', cache(shared)], ['pv', cache(shared)]],
    attributes: { q_num_heads: int(heads), kv_num_heads: int(shared) },
    outputs: ['out', 'present_k', 'present_v'],
  },
  {
    op: 'SkipLayerNormalization',
    inputs: [state, ['skip', hidden]],
    constants: [filled('gamma', width), filled('beta', width)],
    outputs: ['out', '', '', 'sum'],
  },
  {
    op: 'SkipSimplifiedLayerNormalization',
    inputs: [state, ['skip', hidden]],
    constants: [filled('gamma', width)],
    outputs: ['out'],
  },
  { op: 'BiasGelu', inputs: [state], constants: [filled('b', width)], outputs: ['out'] },
  { op: 'FastGelu', inputs: [state], constants: [filled('b', width)], outputs: ['out'] },
  { op: 'QuickGelu', inputs: [state], outputs: ['out'] },
  {
    op: 'EmbedLayerNormalization',
    inputs: [['ids', { dims: [batch, tokens], type: 'int32' }], left],
    constants: [
      filled('table', 11, width),
      filled('places', 16, width),
      filled('none', 0),
      filled('g', width),
      filled('b', width),
    ],
    outputs: ['out', 'mask'],
  },
  {
    op: 'FusedMatMul',
    inputs: [
      ['x', { dims: [batch, tokens, width] }],
      ['y', { dims: [batch, 7, width] }],
    ],
    attributes: { transB: int(1) },
    outputs: ['out'],
  },
  {
    op: 'FusedMatMul',
    inputs: [
      ['x', { dims: [tokens, batch, width] }],
      ['y', { dims: [batch, width, 7] }],
    ],
    attributes: { transBatchA: int(1) },
    outputs: ['out'],
  },
];

const outputTypes: Readonly<Record<string, MiniValue['type']>> = { mask: 'int32' };

/** What the operator's shapes are in the runtime, and here. */
async function agrees({ op, domain = 'com.microsoft', inputs, constants = [], attributes = {}, outputs }: Contributed) {
  const fed = inputs.filter(([name]) => name !== '');
  // Without segments, EmbedLayerNormalization leaves their table out too.
  const names = [...inputs.map(([name]) => name), ...constants.map(({ name }) => (name === 'none' ? '' : name))];
  const node = { op, domain, inputs: names, outputs, attributes };
  const graph = {
    nodes: [node],
    tensors: constants.filter(({ name }) => name !== 'none'),
    inputs: fed.map(([name, { dims, type = 'float' as const }]) => ({
      name,
      type,
      dims: dims.map((_, i) => `${name}_${i}`),
    })),
    outputs: outputs.filter(Boolean).map((name) => ({ name, type: outputTypes[name] ?? ('float' as const) })),
  };
  const bytes = onnx(graph, [], domain === '' ? 23 : 18);
  const { tensors, sink } = walkModel(readModel(bytes), {
    batch,
    tokens,
    inputs: Object.fromEntries(fed.map(([name, { dims }]) => [name, dims])),
    values: { total: [tokens] },
  });
  const session = await InferenceSession.create(bytes, { graphOptimizationLevel: 'disabled', logSeverityLevel: 4 });
  const number = new Map([
    ['lengths', tokens - 1],
    ['total', tokens],
  ]);
  const feeds = fed.map(([name, { dims, type = 'float' }]) => [name, ones(type, dims, number.get(name))] as const);
  const results = await session.run(Object.fromEntries(feeds));
  await session.release();
  expect(sink.problems).toEqual([]);
  const shapes = outputs.filter(Boolean).map((name) => [name, tensors.get(name)?.shape]);
  expect(shapes).toEqual(outputs.filter(Boolean).map((name) => [name, [...results[name].dims]]));
}

describe('operators of the runtime’s own give the shapes that it gives', () => {
  test.each(contributed.map((one, i) => ({ ...one, name: `${one.domain ?? 'com.microsoft'} ${one.op} ${i}` })))(
    '$name',
    agrees,
  );
});
