import { type Call, inputAt, intOf, listOf, type Operator, type Rule, shapeAt } from '../call.js';
import { elementTypes } from '../onnx/model.js';
import { asType, axisOf, elementsOf, mostValues, positionOf, type Shape, stridesOf } from '../tensor.js';

type Reduction = (numbers: readonly number[]) => number;
const sum: Reduction = (numbers) => numbers.reduce((total, one) => total + one, 0);

const reductions: Readonly<Record<string, Reduction | null>> = {
  ReduceSum: sum,
  ReduceProd: (numbers) => numbers.reduce((product, one) => product * one, 1),
  ReduceMax: (numbers) => numbers.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY),
  ReduceMin: (numbers) => numbers.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY),
  ReduceMean: (numbers) => sum(numbers) / numbers.length,
  ReduceL1: null,
  ReduceL2: null,
  ReduceLogSum: null,
  ReduceLogSumExp: null,
  ReduceSumSquare: null,
};

function reduced(fold: Reduction | null): Rule {
  return (call) => {
    const from = shapeAt(call, 0);
    const given = listOf(call, 'axes', 1);
    if ((given === null || given.length === 0) && intOf(call, 'noop_with_empty_axes', 0) === 1) {
      return [{ shape: from, values: inputAt(call, 0).values }];
    }
    const all = given === null || given.length === 0;
    const gone = new Set(all ? from.keys() : given.map((axis) => axisOf(axis, from.length)));
    const flat = from.map((size, i) => (gone.has(i) ? 1 : size));
    const shape = intOf(call, 'keepdims', 1) === 1 ? flat : from.filter((_, i) => !gone.has(i));
    return [{ shape, values: fold === null ? null : foldedAlong(call, flat, fold) }];
  };
}

/** `flat`: the shape that comes out, with an axis of one for each that is gone. */
function foldedAlong(call: Call, flat: Shape, fold: Reduction): readonly number[] | null {
  const { values, type } = inputAt(call, 0);
  const from = shapeAt(call, 0);
  if (values === null || elementsOf(flat) > mostValues) return null;
  const strides = stridesOf(flat);
  const groups = Array.from({ length: elementsOf(flat) }, (): number[] => []);
  values.forEach((value, i) => {
    const at = positionOf(i, from).reduce((index, where, j) => index + (flat[j] === 1 ? 0 : where * strides[j]), 0);
    groups[at].push(value);
  });
  return groups.map((numbers) => asType(fold(numbers), type));
}

const arg: Rule = (call) => {
  const from = shapeAt(call, 0);
  const axis = axisOf(intOf(call, 'axis', 0), from.length);
  const keeps = intOf(call, 'keepdims', 1) === 1;
  const shape = from.flatMap((size, i) => (i !== axis ? [size] : keeps ? [1] : []));
  return [{ shape, type: elementTypes.int64 }];
};

/** [batch, channels, …]: one number a channel. */
const globalPool: Rule = (call) => [{ shape: shapeAt(call, 0).map((size, i) => (i < 2 ? size : 1)) }];

/** Normalization along the axes from `axis` on also gives their mean and its spread. */
export const layerNorm: Rule = (call) => {
  const shape = shapeAt(call, 0);
  const axis = axisOf(intOf(call, 'axis', -1), shape.length);
  const statistic = { shape: shape.map((size, i) => (i < axis ? size : 1)), type: elementTypes.float };
  return [{ shape }, statistic, statistic];
};

const batchNorm: Rule = (call) => {
  const channel = { shape: shapeAt(call, 1) };
  return [{ shape: shapeAt(call, 0) }, channel, channel, channel, channel];
};

const det: Rule = (call) => [{ shape: shapeAt(call, 0).slice(0, -2) }];

export const reducingOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ...Object.entries(reductions).map(([op, fold]) => [op, { make: reduced(fold) }] as const),
  ['ArgMax', { make: arg }],
  ['ArgMin', { make: arg }],
  ['GlobalAveragePool', { make: globalPool }],
  ['GlobalMaxPool', { make: globalPool }],
  ['GlobalLpPool', { make: globalPool }],
  ['LayerNormalization', { make: layerNorm }],
  ['SimplifiedLayerNormalization', { make: layerNorm }],
  ['BatchNormalization', { make: batchNorm }],
  ['Det', { make: det }],
]);
