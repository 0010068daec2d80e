import { TenbinError } from '../../../core/errors.js';
import { elementTypes, type OnnxTensor } from './onnx/model.js';
import { numbersOf } from './onnx/read-tensor.js';

export type Shape = readonly number[];

/** What is known of a tensor for one request. */
export interface Tensor {
  readonly shape: Shape | null;
  /** A code of TensorProto.DataType; 0 where it is not known. */
  readonly type: number;
  /** In row-major order, of small tensors: shapes are computed from them. */
  readonly values: readonly number[] | null;
  /** Depends on constants of the file alone. */
  readonly constant: boolean;
  readonly layer: number | null;
  /** Where its shape got lost; null while it is known. */
  readonly lost: string | null;
}

/** What a rule makes; type: that of the first input where it is left out. */
export interface Made {
  readonly shape: Shape | null;
  readonly type?: number;
  readonly values?: readonly number[] | null;
}

/** Shapes are made of a few numbers, masks of some thousand: larger tensors are known by their shape alone. */
export const mostValues = 16_384;

/** Ends a rule that cannot go on; the walk writes it down and goes on with the next node. */
export function unfit(what: string): TenbinError {
  return new TenbinError('refused', { what, fix: 'The rest of the graph is counted.' });
}

/** ONNX Runtime has no tensor of more than eight; a bound on what a hostile file makes us compute. */
const mostAxes = 64;

/** Throws where the product is beyond 2^53 or a size is no whole number from 0 up. */
export function elementsOf(shape: Shape): number {
  if (shape.length > mostAxes) throw unfit(`a tensor of ${shape.length} axes`);
  let elements = 1;
  for (const size of shape) {
    if (!Number.isSafeInteger(size) || size < 0) throw unfit(`a size of ${size}`);
    elements *= size;
  }
  if (!Number.isSafeInteger(elements)) throw unfit(`a tensor of [${shape.join(', ')}]`);
  return elements;
}

/** Sizes are matched from the last; 1 stretches (numpy's and ONNX's rule). */
export function broadcast(shapes: readonly Shape[]): Shape {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length));
  const joined = new Array<number>(rank).fill(1);
  for (const shape of shapes) {
    shape.forEach((size, i) => {
      const at = rank - shape.length + i;
      if (joined[at] === 1) joined[at] = size;
      else if (size !== 1 && size !== joined[at]) {
        throw unfit(`sizes that do not fit: ${shapes.map((one) => `[${one.join(', ')}]`).join(' and ')}`);
      }
    });
  }
  return joined;
}

/** An axis counted from the front; negative ones count from behind. */
export function axisOf(axis: number, rank: number): number {
  const at = axis < 0 ? axis + rank : axis;
  if (!Number.isInteger(at) || at < 0 || at >= rank) throw unfit(`axis ${axis} of ${rank}`);
  return at;
}

/** How far apart in memory neighbours along each axis are. */
export function stridesOf(shape: Shape): number[] {
  const strides = new Array<number>(shape.length).fill(1);
  for (let i = shape.length - 2; i >= 0; i--) strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

/** Position of element `index` of a tensor of `shape`, axis by axis. */
export function positionOf(index: number, shape: Shape): number[] {
  const position = new Array<number>(shape.length).fill(0);
  for (let i = shape.length - 1, rest = index; i >= 0; i--) {
    position[i] = rest % shape[i];
    rest = Math.floor(rest / shape[i]);
  }
  return position;
}

/** Where element `index` of the broadcast shape lies in a tensor that was stretched to it. */
export function stretchedAt(index: number, to: Shape, from: Shape): number {
  if (from.length === 0) return 0;
  const position = positionOf(index, to);
  const strides = stridesOf(from);
  const shift = to.length - from.length;
  return from.reduce((at, size, i) => at + (size === 1 ? 0 : position[i + shift] * strides[i]), 0);
}

/** Of fractions only scales and steps make sizes; biases and norms are larger, and need not be read. */
const mostReals = 64;

export function constantOf(tensor: OnnxTensor, layer: number | null): Tensor {
  return { shape: tensor.dims, type: tensor.type, values: readOnce(tensor), constant: true, layer, lost: null };
}

/** A body that runs often makes its constants as often; their bytes are read once. */
const read = new WeakMap<OnnxTensor, readonly number[] | null>();

function readOnce(tensor: OnnxTensor): readonly number[] | null {
  const known = read.get(tensor);
  if (known !== undefined) return known;
  const elements = elementsOf(tensor.dims);
  const values = elements > (isWhole(tensor.type) ? mostValues : mostReals) ? null : numbersOf(tensor, elements);
  read.set(tensor, values);
  return values;
}

const wholeTypes: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 7, 9, 12, 13]);
export const isWhole = (type: number) => wholeTypes.has(type);

/** A number as the element type holds it. */
export function asType(value: number, type: number): number {
  if (type === elementTypes.bool) return value === 0 ? 0 : 1;
  if (type === elementTypes.float) return Math.fround(value);
  // Whole numbers have no negative zero; fractions do.
  return isWhole(type) ? Math.trunc(value) + 0 : value;
}
