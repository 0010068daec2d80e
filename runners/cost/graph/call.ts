import type { OnnxAttribute } from './onnx/model.js';
import { type Made, type Shape, type Tensor, unfit } from './tensor.js';
import type { ProductShape } from './types.js';

/** A node with what is known of its inputs. */
export interface Call {
  readonly op: string;
  /** Null where an input is left out. */
  readonly inputs: readonly (Tensor | null)[];
  /** How many outputs it has. */
  readonly outputs: number;
  readonly attributes: ReadonlyMap<string, OnnxAttribute>;
  /** False once a graph has used up its share of values: tensors are known by their shape alone. */
  readonly reads: boolean;
}

/** A product of matrices inside a node. */
export interface Product {
  readonly part: string | null;
  readonly shape: ProductShape;
  /** The two inputs that are multiplied; null where what is multiplied is made inside the node. */
  readonly factors: readonly [number, number] | null;
}

/** Shapes (and values of small tensors) of a node's outputs. Throws `refused` where they cannot be told. */
export type Rule = (call: Call) => readonly Made[];

export interface Operator {
  readonly make: Rule;
  /** What is counted; operators without products of matrices have none. */
  readonly products?: (call: Call) => readonly Product[];
}

export function inputAt(call: Call, i: number): Tensor {
  const input = call.inputs[i] ?? null;
  if (input === null) throw unfit(`input ${i} is missing`);
  return input;
}

export function shapeAt(call: Call, i: number): Shape {
  const { shape, lost } = inputAt(call, i);
  if (shape === null) throw unfit(lost ?? `the shape of input ${i} is not known`);
  return shape;
}

export function valuesAt(call: Call, i: number): readonly number[] {
  const { values, lost } = inputAt(call, i);
  if (values === null) throw unfit(lost ?? `input ${i} says what shape comes out, and depends on the texts`);
  return values;
}

export const hasInput = (call: Call, i: number) => (call.inputs[i] ?? null) !== null;

export function intOf(call: Call, name: string, otherwise: number): number {
  return call.attributes.get(name)?.int ?? otherwise;
}

export function textOf(call: Call, name: string, otherwise: string): string {
  return call.attributes.get(name)?.text ?? otherwise;
}

/** Null where the attribute is not there. */
export function intsOf(call: Call, name: string): readonly number[] | null {
  return call.attributes.get(name)?.ints ?? null;
}

/** Axes and the like: an attribute in older versions of an operator, an input since. Null where neither is there. */
export function listOf(call: Call, name: string, input: number): readonly number[] | null {
  return intsOf(call, name) ?? (hasInput(call, input) ? valuesAt(call, input) : null);
}

/** An attribute that must be there. */
export function neededInt(call: Call, name: string): number {
  const attribute = call.attributes.get(name);
  if (attribute === undefined) throw unfit(`attribute ${name} is missing`);
  return attribute.int;
}
