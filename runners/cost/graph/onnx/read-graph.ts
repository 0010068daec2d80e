import { bytesIn, type FieldValue, forEachField, notOnnx, numberIn, pushReal, pushWhole, textIn } from './fields.js';
import type { OnnxAttribute, OnnxGraph, OnnxNode, OnnxTensor, OnnxValue } from './model.js';
import { readSparseTensor, readTensor } from './read-tensor.js';

/** Field numbers of onnx.proto, by message. */
const inGraph = { node: 1, constant: 5, input: 11, output: 12, value: 13, sparse: 15 } as const;
const inNode = { input: 1, output: 2, name: 3, op: 4, attribute: 5, domain: 7 } as const;
const inAttribute = {
  name: 1,
  float: 2,
  int: 3,
  text: 4,
  tensor: 5,
  graph: 6,
  floats: 7,
  ints: 8,
  sparse: 22,
} as const;
const referenceOf = 21;
const inValue = { name: 1, type: 2 } as const;
const [tensorType, elementType, shape, dimension, size, symbol] = [1, 1, 2, 1, 1, 2];
/** Bodies of bodies: exporters nest two or three deep. */
const deepestGraph = 16;

/** Two messages of one field are one, put end to end: so a graph may come in parts. */
export function readGraph(parts: readonly Uint8Array[], depth: number): OnnxGraph {
  if (depth > deepestGraph) throw notOnnx(`graphs lie more than ${deepestGraph} deep inside each other`);
  const nodes: OnnxNode[] = [];
  const constants: OnnxTensor[] = [];
  const values = new Map<number, OnnxValue[]>([
    [inGraph.input, []],
    [inGraph.output, []],
    [inGraph.value, []],
  ]);
  for (const part of parts) {
    forEachField(part, (at, value) => {
      if (at === inGraph.node) nodes.push(readNode(bytesIn(value), depth));
      else if (at === inGraph.constant) constants.push(readTensor(bytesIn(value)));
      else if (at === inGraph.sparse) constants.push(readSparseTensor(bytesIn(value)));
      else values.get(at)?.push(readValue(bytesIn(value)));
    });
  }
  const of = (field: number) => values.get(field) ?? [];
  return { nodes, constants, inputs: of(inGraph.input), outputs: of(inGraph.output), values: of(inGraph.value) };
}

export function readNode(message: Uint8Array, depth: number): OnnxNode {
  const [inputs, outputs]: [string[], string[]] = [[], []];
  const attributes = new Map<string, OnnxAttribute>();
  let [name, op, domain] = ['', '', ''];
  forEachField(message, (at, value) => {
    if (at === inNode.input) inputs.push(textIn(value));
    else if (at === inNode.output) outputs.push(textIn(value));
    else if (at === inNode.name) name = textIn(value);
    else if (at === inNode.op) op = textIn(value);
    else if (at === inNode.domain) domain = textIn(value);
    else if (at === inNode.attribute) {
      const attribute = readAttribute(bytesIn(value), depth);
      attributes.set(attribute.name, attribute);
    }
  });
  return { name, op, domain: domain === 'ai.onnx' ? '' : domain, inputs, outputs, attributes };
}

type Draft = { -readonly [K in keyof OnnxAttribute]: OnnxAttribute[K] } & { ints: number[]; floats: number[] };

export function readAttribute(message: Uint8Array, depth: number): OnnxAttribute {
  const draft: Draft = {
    name: '',
    int: 0,
    float: 0,
    text: '',
    ints: [],
    floats: [],
    tensor: null,
    graph: null,
    reference: null,
  };
  const graphs: Uint8Array[] = [];
  forEachField(message, (at, value) => {
    if (at === inAttribute.graph) graphs.push(bytesIn(value));
    else fillAttribute(draft, at, value);
  });
  if (graphs.length > 0) draft.graph = readGraph(graphs, depth + 1);
  return draft;
}

function fillAttribute(draft: Draft, at: number, value: FieldValue): void {
  if (at === inAttribute.name) draft.name = textIn(value);
  else if (at === inAttribute.float) draft.float = numberIn(value);
  else if (at === inAttribute.int) draft.int = numberIn(value);
  else if (at === inAttribute.text) draft.text = textIn(value);
  else if (at === inAttribute.tensor) draft.tensor = readTensor(bytesIn(value));
  else if (at === inAttribute.sparse) draft.tensor = readSparseTensor(bytesIn(value));
  else if (at === inAttribute.floats) pushReal(draft.floats, value, 4);
  else if (at === inAttribute.ints) pushWhole(draft.ints, value);
  else if (at === referenceOf) draft.reference = textIn(value);
}

function readValue(message: Uint8Array): OnnxValue {
  let [name, type]: [string, number] = ['', 0];
  let dims: (number | string)[] | null = null;
  forEachField(message, (at, value) => {
    if (at === inValue.name) name = textIn(value);
    if (at !== inValue.type) return;
    forEachField(bytesIn(value), (kind, tensor) => {
      if (kind !== tensorType) return;
      forEachField(bytesIn(tensor), (part, content) => {
        if (part === elementType) type = numberIn(content);
        if (part === shape) dims = readShape(bytesIn(content));
      });
    });
  });
  return { name, type, dims };
}

function readShape(message: Uint8Array): (number | string)[] {
  const dims: (number | string)[] = [];
  forEachField(message, (at, value) => {
    if (at !== dimension) return;
    let known: number | string = '';
    forEachField(bytesIn(value), (kind, content) => {
      if (kind === size) known = numberIn(content);
      if (kind === symbol) known = textIn(content);
    });
    dims.push(known);
  });
  return dims;
}
