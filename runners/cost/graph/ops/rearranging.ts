import {
  type Call,
  inputAt,
  intOf,
  intsOf,
  listOf,
  type Operator,
  type Rule,
  shapeAt,
  textOf,
  valuesAt,
} from '../call.js';
import {
  axisOf,
  broadcast,
  elementsOf,
  mostValues,
  positionOf,
  type Shape,
  stretchedAt,
  stridesOf,
  unfit,
} from '../tensor.js';

/** Values of a new shape, each read from where `from` says; null for tensors whose values are not known. */
export function picked(call: Call, shape: Shape, from: (index: number) => number): readonly number[] | null {
  const { values } = inputAt(call, 0);
  const elements = elementsOf(shape);
  if (values === null || elements > mostValues) return null;
  return Array.from({ length: elements }, (_, i) => values[from(i)]);
}

/** The same elements in the same order, under another shape. */
function reshaped(call: Call, shape: Shape): ReturnType<Rule> {
  if (elementsOf(shape) !== elementsOf(shapeAt(call, 0))) {
    throw unfit(`[${shapeAt(call, 0).join(', ')}] cannot become [${shape.join(', ')}]`);
  }
  return [{ shape, values: inputAt(call, 0).values }];
}

/** 0 keeps a size (unless `allowzero`), one -1 takes what is left. */
const reshape: Rule = (call) => {
  const from = shapeAt(call, 0);
  const keepsZero = intOf(call, 'allowzero', 0) === 1;
  const wanted = (intsOf(call, 'shape') ?? valuesAt(call, 1)).map((size, i) =>
    size === 0 && !keepsZero ? (from[i] ?? 0) : size,
  );
  const others = elementsOf(wanted.filter((size) => size !== -1));
  const left = others === 0 ? 0 : elementsOf(from) / others;
  return reshaped(
    call,
    wanted.map((size) => (size === -1 ? left : size)),
  );
};

const flatten: Rule = (call) => {
  const from = shapeAt(call, 0);
  const axis = intOf(call, 'axis', 1);
  const at = axis === from.length ? axis : axisOf(axis, Math.max(from.length, 1));
  return reshaped(call, [elementsOf(from.slice(0, at)), elementsOf(from.slice(at))]);
};

const squeeze: Rule = (call) => {
  const from = shapeAt(call, 0);
  const axes = listOf(call, 'axes', 1)?.map((axis) => axisOf(axis, from.length));
  const isGone = (size: number, i: number) => (axes === undefined ? size === 1 : axes.includes(i));
  return reshaped(
    call,
    from.filter((size, i) => !isGone(size, i)),
  );
};

const unsqueeze: Rule = (call) => {
  const from = shapeAt(call, 0);
  const given = listOf(call, 'axes', 1) ?? [];
  const rank = from.length + given.length;
  const axes = new Set(given.map((axis) => axisOf(axis, rank)));
  if (axes.size !== given.length) throw unfit(`an axis named twice: ${given.join(', ')}`);
  const rest = from[Symbol.iterator]();
  return reshaped(
    call,
    Array.from({ length: rank }, (_, i) => (axes.has(i) ? 1 : (rest.next().value ?? 1))),
  );
};

const transpose: Rule = (call) => {
  const from = shapeAt(call, 0);
  const order = intsOf(call, 'perm') ?? from.map((_, i) => from.length - 1 - i);
  const axes = order.map((axis) => axisOf(axis, from.length));
  if (new Set(axes).size !== from.length) throw unfit(`an order of axes that is none: ${order.join(', ')}`);
  const shape = axes.map((axis) => from[axis]);
  const strides = stridesOf(from);
  const at = (i: number) => positionOf(i, shape).reduce((sum, where, j) => sum + where * strides[axes[j]], 0);
  return [{ shape, values: picked(call, shape, at) }];
};

const expand: Rule = (call) => {
  const from = shapeAt(call, 0);
  const shape = broadcast([from, valuesAt(call, 1)]);
  return [{ shape, values: picked(call, shape, (i) => stretchedAt(i, shape, from)) }];
};

const tile: Rule = (call) => {
  const from = shapeAt(call, 0);
  const repeats = valuesAt(call, 1);
  if (repeats.length !== from.length) throw unfit(`${repeats.length} repeats of ${from.length} axes`);
  const shape = from.map((size, i) => size * repeats[i]);
  const strides = stridesOf(from);
  const at = (i: number) => positionOf(i, shape).reduce((sum, where, j) => sum + (where % from[j]) * strides[j], 0);
  return [{ shape, values: picked(call, shape, at) }];
};

const pad: Rule = (call) => {
  const from = shapeAt(call, 0);
  const pads = listOf(call, 'pads', 1) ?? [];
  const chosen = call.attributes.has('pads') ? null : listOf(call, 'axes', 3);
  const axes = (chosen ?? from.map((_, i) => i)).map((axis) => axisOf(axis, from.length));
  if (pads.length !== 2 * axes.length) throw unfit(`${pads.length} pads of ${axes.length} axes`);
  const shape = [...from];
  axes.forEach((axis, i) => {
    shape[axis] += pads[i] + pads[i + axes.length];
  });
  return [{ shape }];
};

/** The block's size goes from the channels into both sides, or back. */
function blocks(direction: 'to-space' | 'to-depth'): Rule {
  return (call) => {
    const [n, channels, height, width] = shapeAt(call, 0);
    const size = intOf(call, 'blocksize', 1);
    return direction === 'to-space'
      ? [{ shape: [n, channels / size ** 2, height * size, width * size] }]
      : [{ shape: [n, channels * size ** 2, Math.floor(height / size), Math.floor(width / size)] }];
  };
}

/** Sizes, or factors of them; which half of a pixel is meant changes no shape. */
const resize: Rule = (call) => {
  const from = shapeAt(call, 0);
  const isOld = call.op === 'Upsample' || call.inputs.length <= 2;
  const scales = call.inputs[isOld ? 1 : 2] ?? null;
  const axes = intsOf(call, 'axes') ?? from.map((_, i) => i);
  if (textOf(call, 'keep_aspect_ratio_policy', 'stretch') !== 'stretch') throw unfit('a ratio of sides that is kept');
  const shape = [...from];
  const given = scales !== null && scales.shape?.[0] !== 0 ? valuesAt(call, isOld ? 1 : 2) : null;
  const sizes = given === null ? valuesAt(call, 3) : null;
  axes.forEach((axis, i) => {
    const at = axisOf(axis, from.length);
    shape[at] = sizes === null ? Math.floor(from[at] * (given?.[i] ?? 1)) : sizes[i];
  });
  return [{ shape }];
};

export const rearrangingOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['Reshape', { make: reshape }],
  ['Flatten', { make: flatten }],
  ['Squeeze', { make: squeeze }],
  ['Unsqueeze', { make: unsqueeze }],
  ['Transpose', { make: transpose }],
  ['Expand', { make: expand }],
  ['Tile', { make: tile }],
  ['Pad', { make: pad }],
  ['DepthToSpace', { make: blocks('to-space') }],
  ['SpaceToDepth', { make: blocks('to-depth') }],
  ['Resize', { make: resize }],
  ['Upsample', { make: resize }],
]);
