import { message, nested, text, whole } from '../../../runners/backends/gemm/protobuf.js';

/** Writes small ONNX files with what the counted graphs use: attributes of every kind, bodies inside nodes, functions. */

export interface MiniTensor {
  readonly name: string;
  readonly dims: readonly number[];
  /** int64 where they are given as such, float otherwise; null: of a type and place that is not written. */
  readonly int64?: readonly number[];
  readonly float?: readonly number[];
}

export type MiniAttribute =
  | { readonly int: number }
  | { readonly ints: readonly number[] }
  | { readonly text: string }
  | { readonly tensor: MiniTensor }
  | { readonly graph: MiniGraph }
  | { readonly reference: string };

export interface MiniNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly name?: string;
  readonly domain?: string;
  readonly attributes?: Readonly<Record<string, MiniAttribute>>;
}

export interface MiniValue {
  readonly name: string;
  readonly type?: 'float' | 'int32' | 'int64' | 'bool';
  readonly dims?: readonly (number | string)[];
}

export interface MiniGraph {
  readonly nodes: readonly MiniNode[];
  readonly tensors?: readonly MiniTensor[];
  readonly inputs?: readonly MiniValue[];
  readonly outputs: readonly MiniValue[];
}

interface MiniFunction {
  readonly name: string;
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly nodes: readonly MiniNode[];
}

const types = { float: 1, int32: 6, int64: 7, bool: 9 } as const;

/** A varint of ten bytes holds a negative number as two's complement. */
function signed(field: number, value: number): Uint8Array {
  if (value >= 0) return whole(field, value);
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return message([Uint8Array.of(field * 8), Uint8Array.from([...bytes, Number(rest)])]);
}

const each = <T>(list: readonly T[], write: (one: T) => Uint8Array) => message(list.map(write));

function tensor(field: number, { name, dims, int64, float }: MiniTensor): Uint8Array {
  const raw = new Uint8Array((int64?.length ?? 0) * 8 + (float?.length ?? 0) * 4);
  const view = new DataView(raw.buffer);
  int64?.forEach((value, i) => {
    view.setBigInt64(i * 8, BigInt(value), true);
  });
  float?.forEach((value, i) => {
    view.setFloat32(i * 4, value, true);
  });
  const sizes = each(dims, (size) => whole(1, size));
  const type = whole(2, int64 === undefined ? types.float : types.int64);
  return nested(field, sizes, type, text(8, name), nested(9, raw));
}

function attribute(name: string, value: MiniAttribute): Uint8Array {
  const kinds = { int: 2, text: 3, tensor: 4, graph: 5, ints: 7 } as const;
  const written =
    'int' in value
      ? message([signed(3, value.int), whole(20, kinds.int)])
      : 'ints' in value
        ? message([each(value.ints, (one) => signed(8, one)), whole(20, kinds.ints)])
        : 'text' in value
          ? message([text(4, value.text), whole(20, kinds.text)])
          : 'tensor' in value
            ? message([tensor(5, value.tensor), whole(20, kinds.tensor)])
            : 'graph' in value
              ? message([nested(6, graph(value.graph)), whole(20, kinds.graph)])
              : message([text(21, value.reference), whole(20, kinds.int)]);
  return nested(5, text(1, name), written);
}

function node(field: number, { op, inputs, outputs, name = '', domain = '', attributes = {} }: MiniNode): Uint8Array {
  return nested(
    field,
    each(inputs, (one) => text(1, one)),
    each(outputs, (one) => text(2, one)),
    text(3, name),
    text(4, op),
    each(Object.entries(attributes), ([key, value]) => attribute(key, value)),
    text(7, domain),
  );
}

function value(field: number, { name, type = 'float', dims }: MiniValue): Uint8Array {
  const shape =
    dims === undefined
      ? new Uint8Array(0)
      : nested(2, ...dims.map((size) => nested(1, typeof size === 'number' ? whole(1, size) : text(2, size))));
  return nested(field, text(1, name), nested(2, nested(1, whole(1, types[type]), shape)));
}

function graph({ nodes, tensors = [], inputs = [], outputs }: MiniGraph): Uint8Array {
  return message([
    each(nodes, (one) => node(1, one)),
    text(2, 'mini'),
    each(tensors, (one) => tensor(5, one)),
    each(inputs, (one) => value(11, one)),
    each(outputs, (one) => value(12, one)),
  ]);
}

const opset = (domain: string, version: number) => nested(8, text(1, domain), whole(2, version));

/** `version`: of ONNX's own operators. */
export function onnx(content: MiniGraph, functions: readonly MiniFunction[] = [], version = 18): Uint8Array {
  const written = functions.map(({ name, domain, inputs, outputs, nodes }) =>
    nested(
      25,
      text(1, name),
      each(inputs, (one) => text(4, one)),
      each(outputs, (one) => text(5, one)),
      each(nodes, (one) => node(7, one)),
      opset('', 18),
      text(10, domain),
    ),
  );
  const domains = [...new Set(functions.map(({ domain }) => domain))].map((domain) => opset(domain, 1));
  return message([
    whole(1, 8),
    nested(7, graph(content)),
    opset('', version),
    opset('com.microsoft', 1),
    ...domains,
    ...written,
  ]);
}

/** A constant of whole numbers, and its name among the inputs. */
export const int64s = (name: string, values: readonly number[]): MiniTensor => ({
  name,
  dims: [values.length],
  int64: values,
});

/** A constant of floats that nobody reads. */
export const weights = (name: string, ...dims: number[]): MiniTensor => ({ name, dims });
