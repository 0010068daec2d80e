import fc from 'fast-check';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, test } from 'vitest';
import { readModel } from '../../../runners/cost/graph/onnx/read-model.js';
import { walkModel } from '../../../runners/cost/graph/walk-model.js';
import { int64s, type MiniAttribute, type MiniTensor, onnx } from './mini-onnx.js';

/** One node over `x` (and `y`), whose other inputs are constants: what ONNX Runtime gives is what the rule gives. */
interface Case {
  readonly op: string;
  readonly x: readonly number[];
  readonly y?: readonly number[];
  readonly constants?: readonly (readonly number[] | null)[];
  readonly attributes?: Readonly<Record<string, MiniAttribute>>;
  readonly outputs?: number;
  readonly type?: 'float' | 'int64';
}

const elements = (dims: readonly number[]) => dims.reduce((product, size) => product * size, 1);
/** Small whole numbers, both signs, zero among them. */
const numbersFor = (dims: readonly number[], salt: number) =>
  Array.from({ length: elements(dims) }, (_, i) => ((i * 7 + salt * 3) % 11) - 4);

function modelOf({ op, x, y, constants = [], attributes = {}, outputs = 1, type = 'int64' }: Case) {
  const tensors: MiniTensor[] = constants.flatMap((values, i) => (values === null ? [] : [int64s(`c${i}`, values)]));
  const names = Array.from({ length: outputs }, (_, i) => `out${i}`);
  const fed = y === undefined ? [] : [{ name: 'y', type, dims: y.map((_, i) => `y${i}`) }];
  return onnx({
    nodes: [
      {
        op,
        inputs: [
          'x',
          ...fed.map(({ name }) => name),
          ...constants.map((values, i) => (values === null ? '' : `c${i}`)),
        ],
        outputs: names,
        attributes,
      },
    ],
    tensors,
    inputs: [{ name: 'x', type, dims: x.map((_, i) => `x${i}`) }, ...fed],
    outputs: names.map((name, i) => ({
      name,
      type: boolean.has(op) ? 'bool' : found.has(op) || i > 0 ? 'int64' : type,
    })),
  });
}

const boolean = new Set(['Equal', 'Less', 'GreaterOrEqual']);
const found = new Set(['ArgMax', 'Shape', 'Size', 'NonZero']);

async function agrees(one: Case): Promise<void> {
  const { x, y, type = 'int64' } = one;
  const bytes = modelOf(one);
  const values = { x: numbersFor(x, 1), ...(y === undefined ? {} : { y: numbersFor(y, 2) }) };
  const inputs = { x, ...(y === undefined ? {} : { y }) };
  const { tensors, sink } = walkModel(readModel(bytes), { batch: 1, tokens: 1, inputs, values });
  const session = await InferenceSession.create(bytes, {
    graphOptimizationLevel: 'disabled',
    logSeverityLevel: 4,
    intraOpNumThreads: 1,
  });
  const feed = (name: 'x' | 'y', dims: readonly number[]) =>
    type === 'int64'
      ? new Tensor('int64', BigInt64Array.from(numbersFor(dims, name === 'x' ? 1 : 2), BigInt), dims)
      : new Tensor('float32', Float32Array.from(numbersFor(dims, name === 'x' ? 1 : 2)), dims);
  const results = await session.run({ x: feed('x', x), ...(y === undefined ? {} : { y: feed('y', y) }) });
  await session.release();
  expect(sink.problems).toEqual([]);
  for (const name of session.outputNames) {
    const [here, there] = [tensors.get(name), results[name]];
    expect({ ...one, name, shape: here?.shape }).toEqual({ ...one, name, shape: [...there.dims] });
    if (here?.values !== null)
      expect({ ...one, values: here?.values }).toEqual({ ...one, values: [...there.data].map(Number) });
    else if (type === 'int64') expect(without).toContain(one.op);
  }
}

/** Operators over whole numbers whose values no shape is made of. */
const without = ['Pad', 'GatherElements', 'GatherND', 'ArgMax', 'TopK', 'CumSum'];

const size = fc.integer({ min: 1, max: 4 });
const shape = (min: number, max: number) => fc.array(size, { minLength: min, maxLength: max });
const int = (value: number): MiniAttribute => ({ int: value });
const ints = (values: readonly number[]): MiniAttribute => ({ ints: values });
/** Two shapes that stretch to one. */
const pairs = shape(0, 4).chain((x) =>
  fc
    .tuple(fc.constant(x), fc.array(fc.boolean(), { minLength: x.length, maxLength: x.length }), fc.nat(x.length))
    .map(([dims, flags, cut]) => ({ x: dims, y: dims.map((one, i) => (flags[i] ? 1 : one)).slice(cut) })),
);
const axisIn = (rank: number) => fc.integer({ min: -rank, max: rank - 1 });

const cases: Readonly<Record<string, fc.Arbitrary<Case>>> = {
  'two tensors, stretched': fc
    .tuple(fc.constantFrom('Add', 'Sub', 'Mul', 'Max', 'Min', 'Equal', 'Less', 'GreaterOrEqual'), pairs, fc.boolean())
    .map(([op, { x, y }, flipped]) => (flipped ? { op, x: y, y: x } : { op, x, y })),
  'one by one': fc.tuple(fc.constantFrom('Neg', 'Abs', 'Sign', 'Identity'), shape(0, 3)).map(([op, x]) => ({ op, x })),
  Reshape: shape(1, 4).chain((x) =>
    fc
      .tuple(fc.nat(x.length - 1), fc.array(fc.boolean(), { minLength: x.length, maxLength: x.length }))
      .map(([at, zero]) => ({
        op: 'Reshape',
        x,
        constants: [x.map((one, i) => (i === at ? -1 : zero[i] ? 0 : one))],
      })),
  ),
  Transpose: shape(1, 4).chain((x) =>
    fc
      .shuffledSubarray([...x.keys()], { minLength: x.length })
      .map((perm) => ({ op: 'Transpose', x, attributes: { perm: ints(perm) } })),
  ),
  'Slice, steps in both directions': shape(1, 3).chain((x) =>
    fc
      .tuple(
        axisIn(x.length),
        fc.integer({ min: -6, max: 6 }),
        fc.integer({ min: -6, max: 6 }),
        fc.constantFrom(-3, -2, -1, 1, 2),
      )
      .map(([axis, start, end, step]) => ({ op: 'Slice', x, constants: [[start], [end], [axis], [step]] })),
  ),
  Gather: shape(1, 3).chain((x) =>
    axisIn(x.length).chain((axis) => {
      const length = x[axis < 0 ? axis + x.length : axis];
      const rows = fc.array(fc.integer({ min: -length, max: length - 1 }), { minLength: 1, maxLength: 4 });
      return rows.map((indices) => ({ op: 'Gather', x, constants: [indices], attributes: { axis: int(axis) } }));
    }),
  ),
  Unsqueeze: shape(0, 3).chain((x) =>
    fc
      .subarray([...Array(x.length + 2).keys()], { minLength: 2, maxLength: 2 })
      .map((axes) => ({ op: 'Unsqueeze', x, constants: [axes] })),
  ),
  Squeeze: shape(1, 4).map((x) => ({ op: 'Squeeze', x })),
  Concat: shape(1, 3).chain((x) =>
    fc.tuple(fc.nat(x.length - 1), size).map(([axis, wide]) => ({
      op: 'Concat',
      x,
      y: x.map((one, i) => (i === axis ? wide : one)),
      attributes: { axis: int(axis) },
    })),
  ),
  Split: shape(1, 3).chain((x) =>
    fc.tuple(fc.nat(x.length - 1), fc.integer({ min: 1, max: 3 })).map(([axis, first]) => ({
      op: 'Split',
      x: x.map((one, i) => (i === axis ? one + first : one)),
      constants: [[first, x[axis]]],
      attributes: { axis: int(axis) },
      outputs: 2,
    })),
  ),
  Expand: pairs.map(({ x, y }) => ({ op: 'Expand', x: y, constants: [x] })),
  Tile: shape(1, 3).chain((x) => shape(x.length, x.length).map((repeats) => ({ op: 'Tile', x, constants: [repeats] }))),
  Pad: shape(1, 3).chain((x) =>
    fc.array(fc.integer({ min: -1, max: 2 }), { minLength: 2 * x.length, maxLength: 2 * x.length }).map((pads) => ({
      op: 'Pad',
      x: x.map((one) => one + 2),
      constants: [pads],
    })),
  ),
  reductions: shape(1, 3).chain((x) =>
    fc
      .tuple(
        fc.constantFrom('ReduceSum', 'ReduceMax', 'ReduceMin', 'ReduceProd'),
        fc.subarray([...x.keys()]),
        fc.nat(1),
      )
      .map(([op, axes, keeps]) => {
        const attributes = { keepdims: int(keeps) };
        return op === 'ReduceSum' || axes.length > 0 ? { op, x, constants: [axes], attributes } : { op, x, attributes };
      }),
  ),
  'ArgMax and TopK': shape(1, 3).chain((x) =>
    fc
      .tuple(axisIn(x.length), fc.nat(1), fc.boolean())
      .map(
        ([axis, keeps, top]): Case =>
          top
            ? { op: 'TopK', x, constants: [[1]], attributes: { axis: int(axis) }, outputs: 2, type: 'float' }
            : { op: 'ArgMax', x, attributes: { axis: int(axis), keepdims: int(keeps) } },
      ),
  ),
  'Flatten, Shape, Size, NonZero': fc
    .tuple(fc.constantFrom('Flatten', 'Shape', 'Size', 'NonZero'), shape(1, 3))
    .map(([op, x]) => ({ op, x })),
};

describe('a rule gives what ONNX Runtime gives, shapes and values', () => {
  test.each(Object.keys(cases))('%s', async (name) => {
    await fc.assert(fc.asyncProperty(cases[name], agrees), { numRuns: 12 });
  });
});

const floats: Readonly<Record<string, fc.Arbitrary<Case>>> = {
  MatMul: fc.tuple(pairs, size, size, size).map(([{ x, y }, rows, inner, columns]) => ({
    op: 'MatMul',
    x: [...x, rows, inner],
    y: [...y, inner, columns],
  })),
  'MatMul of vectors': fc
    .tuple(shape(0, 2), size, size, fc.boolean())
    .map(([batch, rows, inner, first]) =>
      first
        ? { op: 'MatMul', x: [inner], y: [...batch, inner, rows] }
        : { op: 'MatMul', x: [...batch, rows, inner], y: [inner] },
    ),
  Gemm: fc.tuple(size, size, size, fc.nat(1), fc.nat(1)).map(([m, k, n, transA, transB]) => ({
    op: 'Gemm',
    x: transA === 1 ? [k, m] : [m, k],
    y: transB === 1 ? [n, k] : [k, n],
    attributes: { transA: int(transA), transB: int(transB) },
  })),
  Einsum: fc
    .tuple(
      fc.constantFrom(
        'bij,bjk->bik',
        'bij,jk',
        'bid,bjd->bij',
        '...ij,...jk->...ik',
        'bij,bkj->bk',
        'bi j, bij->bij',
        'bij,kjl->blk',
      ),
      size,
      size,
      size,
    )
    .map(([equation, b, i, j]) => {
      const sizes: Readonly<Record<string, number>> = { b, i, j, k: 3, l: 2, d: 5 };
      const [left, right] = equation.replaceAll(' ', '').split('->')[0].split(',');
      const dims = (term: string) =>
        [...(term.startsWith('...') ? [b] : []), ...term.replace('...', '')].map((one) =>
          typeof one === 'string' ? sizes[one] : one,
        );
      return { op: 'Einsum', x: dims(left), y: dims(right), attributes: { equation: { text: equation } } };
    }),
  Conv: fc
    .tuple(size, size, size, fc.nat(2), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 }))
    .map(([batch, channels, out, pad, stride, dilation]) => ({
      op: 'Conv',
      x: [batch, channels * 2, 9, 8],
      y: [out * 2, channels, 3, 2],
      attributes: {
        pads: ints([pad, 0, 1, pad]),
        strides: ints([stride, 1]),
        dilations: ints([1, dilation]),
        group: int(2),
      },
    })),
  ConvTranspose: fc
    .tuple(size, size, fc.nat(1), fc.integer({ min: 2, max: 3 }))
    .map(([channels, out, pad, stride]) => ({
      op: 'ConvTranspose',
      x: [2, channels * 2, 5, 4],
      y: [channels * 2, out, 3, 3],
      attributes: {
        pads: ints([pad, pad, 0, 0]),
        strides: ints([stride, 1]),
        group: int(2),
        output_padding: ints([1, 0]),
      },
    })),
  pools: fc
    .tuple(
      fc.constantFrom('MaxPool', 'AveragePool'),
      fc.nat(1),
      fc.integer({ min: 1, max: 3 }),
      fc.nat(1),
      fc.integer({ min: 4, max: 9 }),
    )
    .map(([op, ceil, stride, pad, length]) => ({
      op,
      x: [1, 2, length],
      attributes: { kernel_shape: ints([2]), strides: ints([stride]), pads: ints([pad, 0]), ceil_mode: int(ceil) },
    })),
};

describe('products, whose values are not folded, have the runtime’s shapes', () => {
  test.each(Object.keys(floats))('%s', async (name) => {
    await fc.assert(
      fc.asyncProperty(floats[name], (one) => agrees({ ...one, type: 'float' })),
      { numRuns: 10 },
    );
  });
});
