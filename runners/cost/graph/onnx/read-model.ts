import { TenbinError } from '../../../../core/errors.js';
import { bytesIn, forEachField, notOnnx, numberIn, textIn } from './fields.js';
import type { OnnxAttribute, OnnxFunction, OnnxModel, OnnxNode } from './model.js';
import { readAttribute, readGraph, readNode } from './read-graph.js';

/** Field numbers of ModelProto, OperatorSetIdProto and FunctionProto (onnx.proto). */
const inModel = { irVersion: 1, graph: 7, opset: 8, functions: 25 } as const;
const inOpset = { domain: 1, version: 2 } as const;
const inFunction = { name: 1, input: 4, output: 5, node: 7, domain: 10, default: 11 } as const;

/**
 * What an ONNX file says of its nodes and of the shapes of its constants, whose bytes stay where they are. Constants in
 * other files are not opened. Throws `malformed` for bytes that are no ONNX graph.
 */
export function readModel(bytes: Uint8Array): OnnxModel {
  try {
    const model = readParts(bytes);
    if (model.graph.nodes.length > 0) return model;
  } catch (error) {
    throw error instanceof TenbinError ? error : notOnnx('its bytes end early or are of another kind', error);
  }
  throw notOnnx('it holds no node');
}

function readParts(bytes: Uint8Array): OnnxModel {
  const graphs: Uint8Array[] = [];
  const functions: OnnxFunction[] = [];
  let irVersion = 0;
  let opset: number | null = null;
  forEachField(bytes, (at, value) => {
    if (at === inModel.irVersion) irVersion = numberIn(value);
    else if (at === inModel.opset) opset = opsetIn(bytesIn(value)) ?? opset;
    else if (at === inModel.graph) graphs.push(bytesIn(value));
    else if (at === inModel.functions) functions.push(readFunction(bytesIn(value)));
  });
  if (irVersion <= 0 || graphs.length === 0) throw notOnnx('it has no graph');
  return { opset, graph: readGraph(graphs, 0), functions };
}

/** Null for the operators of other domains. */
function opsetIn(message: Uint8Array): number | null {
  let [domain, version]: [string, number | null] = ['', null];
  forEachField(message, (at, value) => {
    if (at === inOpset.domain) domain = textIn(value);
    else if (at === inOpset.version) version = numberIn(value);
  });
  return domain === '' || domain === 'ai.onnx' ? version : null;
}

function readFunction(message: Uint8Array): OnnxFunction {
  const [inputs, outputs, nodes]: [string[], string[], OnnxNode[]] = [[], [], []];
  const defaults = new Map<string, OnnxAttribute>();
  let [name, domain] = ['', ''];
  forEachField(message, (at, value) => {
    if (at === inFunction.name) name = textIn(value);
    else if (at === inFunction.domain) domain = textIn(value);
    else if (at === inFunction.input) inputs.push(textIn(value));
    else if (at === inFunction.output) outputs.push(textIn(value));
    else if (at === inFunction.node) nodes.push(readNode(bytesIn(value), 0));
    else if (at === inFunction.default) {
      const attribute = readAttribute(bytesIn(value), 0);
      defaults.set(attribute.name, attribute);
    }
  });
  return { domain: domain === 'ai.onnx' ? '' : domain, name, inputs, outputs, nodes, defaults };
}
