import { type Call, inputAt, intOf, listOf, neededInt, type Operator, type Rule, shapeAt, valuesAt } from '../call.js';
import { elementTypes } from '../onnx/model.js';
import { axisOf, elementsOf, type Made, mostValues, positionOf, type Shape, stridesOf, unfit } from '../tensor.js';
import { picked } from './rearranging.js';

/** Rows of a table: the shape of the indices takes the axis' place. */
const gather: Rule = (call) => {
  const from = shapeAt(call, 0);
  const indices = shapeAt(call, 1);
  const axis = axisOf(intOf(call, 'axis', 0), from.length);
  const shape = [...from.slice(0, axis), ...indices, ...from.slice(axis + 1)];
  const chosen = inputAt(call, 1).values;
  if (chosen === null) return [{ shape }];
  const rows = chosen.map((row) => axisOf(row, from[axis]));
  const [inner, many] = [elementsOf(from.slice(axis + 1)), elementsOf(indices)];
  const at = (i: number) => {
    const outer = Math.floor(i / (inner * many));
    return (outer * from[axis] + rows[Math.floor(i / inner) % many]) * inner + (i % inner);
  };
  return [{ shape, values: picked(call, shape, at) }];
};

const gatherAlike: Rule = (call) => [{ shape: shapeAt(call, 1), type: inputAt(call, 0).type }];

const gatherPositions: Rule = (call) => {
  const from = shapeAt(call, 0);
  const indices = shapeAt(call, 1);
  const batched = intOf(call, 'batch_dims', 0);
  const depth = indices[indices.length - 1];
  if (depth === undefined || batched + depth > from.length) throw unfit(`indices of [${indices.join(', ')}]`);
  return [{ shape: [...indices.slice(0, -1), ...from.slice(batched + depth)] }];
};

const concat: Rule = (call) => {
  const shapes = call.inputs.map((_, i) => shapeAt(call, i));
  const axis = axisOf(neededInt(call, 'axis'), shapes[0].length);
  const differs = shapes.find(
    (one) => one.length !== shapes[0].length || one.some((n, i) => i !== axis && n !== shapes[0][i]),
  );
  if (differs !== undefined) throw unfit(`[${shapes[0].join(', ')}] and [${differs.join(', ')}] side by side`);
  const shape = shapes[0].map((size, i) => (i === axis ? shapes.reduce((sum, one) => sum + one[axis], 0) : size));
  return [{ shape, values: joined(call, shapes, axis) }];
};

function joined(call: Call, shapes: readonly Shape[], axis: number): readonly number[] | null {
  if (shapes.reduce((sum, shape) => sum + elementsOf(shape), 0) > mostValues) return null;
  const parts: { readonly values: readonly number[]; readonly width: number }[] = [];
  for (const [i, shape] of shapes.entries()) {
    const values = inputAt(call, i).values;
    if (values === null) return null;
    parts.push({ values, width: elementsOf(shape.slice(axis)) });
  }
  const rows = elementsOf(shapes[0].slice(0, axis));
  return Array.from({ length: rows }, (_, row) =>
    parts.flatMap(({ values, width }) => values.slice(row * width, (row + 1) * width)),
  ).flat();
}

/** Parts as they are given, or alike, where the last may be smaller. */
const split: Rule = (call) => {
  const from = shapeAt(call, 0);
  const axis = axisOf(intOf(call, 'axis', 0), from.length);
  const each = Math.ceil(from[axis] / call.outputs);
  const alike = Array.from({ length: call.outputs }, (_, i) => Math.max(0, Math.min(each, from[axis] - i * each)));
  const sizes = listOf(call, 'split', 1) ?? alike;
  const inner = elementsOf(from.slice(axis + 1));
  let start = 0;
  return sizes.map((size) => {
    const first = start;
    start += size;
    const shape = from.map((one, i) => (i === axis ? size : one));
    const at = (i: number) => {
      const outer = Math.floor(i / (inner * size));
      return (outer * from[axis] + first + (Math.floor(i / inner) % size)) * inner + (i % inner);
    };
    return { shape, values: start > from[axis] ? null : picked(call, shape, at) };
  });
};

interface Cut {
  readonly start: number;
  readonly step: number;
  readonly size: number;
}

/** Bounds are counted from behind where negative, and cut to the axis (ONNX's Slice). */
function cutOf(size: number, start: number, end: number, step: number): Cut {
  if (!Number.isInteger(step) || step === 0) throw unfit(`a step of ${step}`);
  const within = (bound: number, low: number, high: number) =>
    Math.min(Math.max(bound < 0 ? bound + size : bound, low), high);
  const from = step > 0 ? within(start, 0, size) : within(start, 0, size - 1);
  const to = step > 0 ? within(end, 0, size) : within(end, -1, size - 1);
  return { start: from, step, size: Math.max(0, Math.ceil((to - from) / step)) };
}

const slice: Rule = (call) => {
  const from = shapeAt(call, 0);
  const starts = listOf(call, 'starts', 1) ?? [];
  const ends = listOf(call, 'ends', 2) ?? [];
  const axes = listOf(call, 'axes', 3) ?? starts.map((_, i) => i);
  const steps = call.inputs.length > 4 ? valuesAt(call, 4) : starts.map(() => 1);
  const cuts: Cut[] = from.map((size) => ({ start: 0, step: 1, size }));
  axes.forEach((axis, i) => {
    const at = axisOf(axis, from.length);
    cuts[at] = cutOf(from[at], starts[i], ends[i], steps[i]);
  });
  const shape = cuts.map(({ size }) => size);
  const strides = stridesOf(from);
  const at = (i: number) =>
    positionOf(i, shape).reduce((sum, where, j) => sum + (cuts[j].start + where * cuts[j].step) * strides[j], 0);
  return [{ shape, values: picked(call, shape, at) }];
};

/** How many rows are kept is known where the choice is. */
const compress: Rule = (call) => {
  const from = shapeAt(call, 0);
  const kept = valuesAt(call, 1).filter((one) => one !== 0).length;
  if (!call.attributes.has('axis')) return [{ shape: [kept] }];
  const axis = axisOf(intOf(call, 'axis', 0), from.length);
  return [{ shape: from.map((size, i) => (i === axis ? kept : size)) }];
};

/** Positions of what is not zero: [axes, found]. */
const nonZero: Rule = (call) => {
  const from = shapeAt(call, 0);
  const found = valuesAt(call, 0).flatMap((value, i) => (value === 0 ? [] : [positionOf(i, from)]));
  const values = from.flatMap((_, axis) => found.map((position) => position[axis]));
  return [
    { shape: [from.length, found.length], type: elementTypes.int64, values: found.length > mostValues ? null : values },
  ];
};

const topK: Rule = (call) => {
  const from = shapeAt(call, 0);
  const axis = axisOf(intOf(call, 'axis', -1), from.length);
  const k = call.attributes.has('k') ? neededInt(call, 'k') : valuesAt(call, 1)[0];
  const shape = from.map((size, i) => (i === axis ? k : size));
  return [{ shape }, { shape, type: elementTypes.int64 }];
};

const oneHot: Rule = (call) => {
  const from = shapeAt(call, 0);
  const axis = intOf(call, 'axis', -1);
  const at = axisOf(axis, from.length + 1);
  const made: Made = {
    shape: [...from.slice(0, at), valuesAt(call, 1)[0], ...from.slice(at)],
    type: inputAt(call, 2).type,
  };
  return [made];
};

/** A table whose rows are cut into bits; `bits` tell how many numbers lie in one byte. */
const gatherBlocks: Rule = (call) => {
  const from = shapeAt(call, 0);
  const axis = axisOf(intOf(call, 'gather_axis', 0), from.length);
  const packed = inputAt(call, 0).type === elementTypes.uint8 ? 8 / intOf(call, 'bits', 4) : 1;
  const sizes = from.map((size, i) => (i === from.length - 1 ? size * packed : size));
  const shape = [...sizes.slice(0, axis), ...shapeAt(call, 1), ...sizes.slice(axis + 1)];
  return [{ shape, type: inputAt(call, 2).type }];
};

export const selectingOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['Gather', { make: gather }],
  ['GatherElements', { make: gatherAlike }],
  ['GatherND', { make: gatherPositions }],
  ['Concat', { make: concat }],
  ['Split', { make: split }],
  ['Slice', { make: slice }],
  ['Compress', { make: compress }],
  ['NonZero', { make: nonZero }],
  ['TopK', { make: topK }],
  ['OneHot', { make: oneHot }],
  ['com.microsoft.GatherBlockQuantized', { make: gatherBlocks }],
]);
