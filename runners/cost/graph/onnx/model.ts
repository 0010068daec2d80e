/** Codes of TensorProto.DataType that rules look at. */
export const elementTypes = {
  float: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  double: 11,
  uint32: 12,
  uint64: 13,
} as const;

/** A constant of the file. Its bytes are a view of the file, and read where a rule asks for them. */
export interface OnnxTensor {
  readonly name: string;
  readonly type: number;
  readonly dims: readonly number[];
  readonly raw: Uint8Array | null;
  /** Numbers that were written as such; empty where `raw` holds them, or another file does. */
  readonly numbers: readonly number[];
}

export interface OnnxAttribute {
  readonly name: string;
  readonly int: number;
  readonly float: number;
  readonly text: string;
  readonly ints: readonly number[];
  readonly floats: readonly number[];
  readonly tensor: OnnxTensor | null;
  readonly graph: OnnxGraph | null;
  /** Inside a function: the attribute of the call that stands here. */
  readonly reference: string | null;
}

export interface OnnxNode {
  readonly name: string;
  /** Empty for ONNX's own operators. */
  readonly domain: string;
  readonly op: string;
  /** An empty name is an input that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, OnnxAttribute>;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: number;
  /** A name stands for a size that is open, an empty one for a size that is unknown; null: nothing is said of the shape. */
  readonly dims: readonly (number | string)[] | null;
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly constants: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  /** What the exporter wrote down of tensors between nodes. */
  readonly values: readonly OnnxValue[];
}

export interface OnnxFunction {
  readonly domain: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly nodes: readonly OnnxNode[];
  readonly defaults: ReadonlyMap<string, OnnxAttribute>;
}

export interface OnnxModel {
  /** The version of ONNX's own operators; null where the file names none. */
  readonly opset: number | null;
  readonly graph: OnnxGraph;
  readonly functions: readonly OnnxFunction[];
}
