/** Writes small ONNX files for tests: the few protobuf messages that they need, by their field numbers in onnx.proto. */

const dataTypes = { float: 1, int8: 3, int32: 6, int64: 7, float16: 10, bool: 9, uint8: 2 } as const;
export type DataType = keyof typeof dataTypes;

export interface MiniTensor {
  readonly name: string;
  readonly type: DataType;
  readonly dims: readonly number[];
  readonly data: Uint8Array;
  /** How the sizes are written: one by one as most writers do, or in one field as proto3 does. */
  readonly sizes?: 'packed';
  /** The file beside the graph that holds the data. */
  readonly file?: string;
}

export interface MiniValue {
  readonly name: string;
  readonly type: DataType;
  /** Names stand for sizes that are open. */
  readonly dims: readonly (number | string)[];
}

export interface MiniNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly ints?: Readonly<Record<string, number>>;
}

export interface MiniGraph {
  readonly nodes: readonly MiniNode[];
  readonly tensors?: readonly MiniTensor[];
  readonly inputs: readonly MiniValue[];
  readonly outputs: readonly MiniValue[];
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low | 128 : low);
  } while (rest > 0);
  return Buffer.from(bytes);
}

const number = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, value: Uint8Array) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
const text = (field: number, value: string) => bytes(field, Buffer.from(value));
const each = <T>(values: readonly T[], write: (value: T) => Buffer) => Buffer.concat(values.map(write));

function nodeBytes({ op, inputs, outputs, ints = {} }: MiniNode): Buffer {
  const attributes = Object.entries(ints).map(([name, value]) =>
    Buffer.concat([text(1, name), number(3, value), number(20, 2)]),
  );
  return Buffer.concat([
    each(inputs, (name) => text(1, name)),
    each(outputs, (name) => text(2, name)),
    text(4, op),
    each(attributes, (attribute) => bytes(5, attribute)),
  ]);
}

function tensorBytes({ name, type, dims, data, file, sizes }: MiniTensor): Buffer {
  const shape = sizes === 'packed' ? bytes(1, Buffer.concat(dims.map(varint))) : each(dims, (size) => number(1, size));
  const head = [shape, number(2, dataTypes[type]), text(8, name)];
  if (file === undefined) return Buffer.concat([...head, bytes(9, data)]);
  const entry = (key: string, value: string) => bytes(13, Buffer.concat([text(1, key), text(2, value)]));
  const where = [entry('location', file), entry('offset', '0'), entry('length', String(data.length))];
  return Buffer.concat([...head, ...where, number(14, 1)]);
}

function valueBytes({ name, type, dims }: MiniValue): Buffer {
  const shape = each(dims, (size) => bytes(1, typeof size === 'number' ? number(1, size) : text(2, size)));
  const tensor = Buffer.concat([number(1, dataTypes[type]), bytes(2, shape)]);
  return Buffer.concat([text(1, name), bytes(2, bytes(1, tensor))]);
}

export function graphBytes({ nodes, tensors = [], inputs, outputs }: MiniGraph): Buffer {
  const graph = Buffer.concat([
    each(nodes, (node) => bytes(1, nodeBytes(node))),
    text(2, 'mini'),
    each(tensors, (tensor) => bytes(5, tensorBytes(tensor))),
    each(inputs, (value) => bytes(11, valueBytes(value))),
    each(outputs, (value) => bytes(12, valueBytes(value))),
  ]);
  return Buffer.concat([
    number(1, 8),
    text(2, 'tenbin tests'),
    bytes(7, graph),
    bytes(8, Buffer.concat([text(1, ''), number(2, 17)])),
  ]);
}

/** Float numbers as the bytes of a tensor. */
export function floats(values: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

export const ids = (type: DataType = 'int64'): MiniValue => ({ name: 'input_ids', type, dims: ['batch', 'sequence'] });
export const mask: MiniValue = { name: 'attention_mask', type: 'int64', dims: ['batch', 'sequence'] };

/** Looks each id up in a table: output [batch, sequence, width]. */
export function lookup(
  table: readonly (readonly number[])[],
  output: string,
  more: Partial<MiniGraph> = {},
): MiniGraph {
  const width = table[0].length;
  return {
    nodes: [{ op: 'Gather', inputs: ['table', 'input_ids'], outputs: [output] }, ...(more.nodes ?? [])],
    tensors: [
      { name: 'table', type: 'float', dims: [table.length, width], data: floats(table.flat()) },
      ...(more.tensors ?? []),
    ],
    inputs: [ids(), mask, ...(more.inputs ?? [])],
    outputs: [{ name: output, type: 'float', dims: ['batch', 'sequence', width] }, ...(more.outputs ?? [])],
  };
}
