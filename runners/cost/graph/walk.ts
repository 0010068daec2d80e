import { reasonOf, TenbinError } from '../../../core/errors.js';
import type { Call, Product } from './call.js';
import { controls } from './control.js';
import { layerIn, layerOf, layersOfSums } from './layer.js';
import type { OnnxAttribute, OnnxFunction, OnnxNode } from './onnx/model.js';
import { operators } from './ops/index.js';
import { type Body, type Frame, isLeftOut, lookUp, lostTensor, nodeName, opName, scopeUnder } from './scope.js';
import { constantOf, elementsOf, type Made, type Tensor } from './tensor.js';

/** Deeper calls of functions than any exporter writes; a function that calls itself ends here. */
const deepestCall = 64;
/** Names of constants and inputs cost less than a node, but not nothing, where a body runs often. */
const namesPerNode = 16;

/** Fills the scope with what is known of every tensor of a body, node by node, and counts on the way. */
export function walkBody(body: Body, frame: Frame): void {
  const sums = layersOfSums(body.nodes);
  frame.budget.nodes -= Math.floor(body.constants.length / namesPerNode);
  for (const tensor of body.constants) {
    frame.scope.tensors.set(tensor.name, constantTensor(tensor));
  }
  for (const node of body.nodes) {
    if (frame.budget.nodes-- <= 0) {
      problem(node, frame, 'the graph runs more nodes than are counted: its functions call each other too often');
      return;
    }
    const outputs = outputsOf(node, frame, sums);
    node.outputs.forEach((name, i) => {
      if (name !== '') frame.scope.tensors.set(name, recovered(outputs[i], name, frame));
    });
  }
}

function constantTensor(tensor: Body['constants'][number]): Tensor {
  try {
    return constantOf(tensor, layerIn(tensor.name));
  } catch (error) {
    return lostTensor(`constant ${tensor.name}: ${why(error)}`);
  }
}

function problem(node: OnnxNode, frame: Frame, why: string): void {
  frame.sink.problems.push({ node: nodeName(node), op: opName(node), why });
}

const why = (error: unknown) => (error instanceof TenbinError ? error.parts.what : reasonOf(error));

/** Where a shape got lost, what the file itself says of it stands in. */
function recovered(tensor: Tensor | undefined, name: string, frame: Frame): Tensor {
  const known = tensor ?? lostTensor(`${name} is an output that the operator does not have`);
  const declared = known.shape === null ? frame.declared.get(name) : undefined;
  return declared === undefined ? known : { ...known, shape: declared, lost: null };
}

function outputsOf(node: OnnxNode, frame: Frame, sums: ReadonlyMap<string, number>): readonly Tensor[] {
  const missing = node.inputs.find((name) => !isLeftOut(frame.scope, name) && lookUp(frame.scope, name) === null);
  if (missing !== undefined) {
    const reason = `its input ${missing} is given by no node before it`;
    problem(node, frame, reason);
    return node.outputs.map(() => lostTensor(`${nodeName(node)}: ${reason}`));
  }
  const inputs = node.inputs.map((name) => (isLeftOut(frame.scope, name) ? null : lookUp(frame.scope, name)));
  const called = frame.functions.get(opName(node));
  const control = controls.get(opName(node));
  if (called !== undefined) return callFunction(called, node, inputs, frame);
  const attributes = boundAttributes(node, frame);
  if (control !== undefined) {
    return guarded(node, frame, () => control({ node, attributes, inputs, frame, run: walkBody }));
  }
  const layer = layerOf(node, inputs, sums);
  const isConstant = inputs.every((input) => input === null || input.constant) && !node.op.startsWith('Random');
  const reads = frame.budget.values > 0;
  const call = {
    op: node.op,
    inputs: reads ? inputs : inputs.map(withoutValues),
    outputs: node.outputs.length,
    attributes,
    reads,
  };
  const made = guarded(node, frame, () => madeBy(node, call, frame));
  countProducts({ node, call, frame, layer, isConstant });
  return made.map((one) => ({ ...one, constant: isConstant, layer }));
}

/** Values cost time: once a graph has used up its share, shapes that follow from more of them are lost. */
const withoutValues = (input: Tensor | null) => (input === null ? null : { ...input, values: null });

/** An operator that is not known is a problem; one whose inputs are lost hands that on. */
function guarded(node: OnnxNode, frame: Frame, rule: () => readonly Tensor[]): readonly Tensor[] {
  try {
    return rule();
  } catch (error) {
    const lost = `${nodeName(node)} (${opName(node)}): ${why(error)}`;
    const from = node.inputs.map((name) => lookUp(frame.scope, name)?.lost ?? null).find((one) => one !== null);
    return node.outputs.map(() => lostTensor(from ?? lost));
  }
}

function madeBy(node: OnnxNode, call: Call, frame: Frame): readonly Tensor[] {
  const operator = operators.get(opName(node));
  if (operator === undefined) {
    problem(node, frame, 'an operator that is not known');
    return node.outputs.map(() => lostTensor(`${nodeName(node)}: ${opName(node)} is not known`));
  }
  return operator.make(call).map((made) => tensorOf(made, call, frame));
}

function tensorOf({ shape, type, values = null }: Made, call: Call, frame: Frame): Tensor {
  if (shape !== null) elementsOf(shape);
  frame.budget.values -= values?.length ?? 0;
  return { shape, type: type ?? call.inputs[0]?.type ?? 0, values, constant: false, layer: null, lost: null };
}

interface Counting {
  readonly node: OnnxNode;
  readonly call: Call;
  readonly frame: Frame;
  readonly layer: number | null;
  readonly isConstant: boolean;
}

function countProducts({ node, call, frame, layer, isConstant }: Counting): void {
  const { sink } = frame;
  const op = opName(node);
  const operator = operators.get(op);
  if (operator?.products === undefined) {
    if (!isConstant) sink.others.set(op, (sink.others.get(op) ?? 0) + 1);
    return;
  }
  try {
    operator.products(call).forEach((product) => {
      sink.counted.push({ node: nodeName(node), op, layer, ...countedAs(product, call), constant: isConstant });
    });
  } catch (error) {
    if (!isConstant) problem(node, frame, `not counted: ${why(error)}`);
  }
}

function countedAs({ part, shape, factors }: Product, call: Call) {
  const elements = elementsOf(shape);
  const weights = factors?.some((i) => call.inputs[i]?.constant === true) ?? false;
  return { part, shape, times: 1, flops: 2 * elements, weights };
}

/** Inside a function an attribute may stand for one of the call, or for its default. */
function boundAttributes({ attributes }: OnnxNode, { bound }: Frame): ReadonlyMap<string, OnnxAttribute> {
  if (bound === null) return attributes;
  const resolved = [...attributes].map(
    ([name, one]) => [name, one.reference === null ? one : bound.get(one.reference)] as const,
  );
  return new Map(resolved.flatMap(([name, one]) => (one === undefined ? [] : [[name, one] as const])));
}

/** The body runs in a scope of its own, which sees nothing but its inputs. */
function callFunction(
  called: OnnxFunction,
  node: OnnxNode,
  inputs: readonly (Tensor | null)[],
  frame: Frame,
): readonly Tensor[] {
  if (frame.depth >= deepestCall) {
    problem(node, frame, `functions call each other more than ${deepestCall} deep`);
    return node.outputs.map(() => lostTensor(`${nodeName(node)}: a function that calls itself`));
  }
  const scope = scopeUnder(null);
  frame.budget.nodes -= Math.floor(called.inputs.length / namesPerNode);
  called.inputs.forEach((name, i) => {
    const input = inputs[i] ?? null;
    if (input !== null) scope.tensors.set(name, input);
    else scope.left.add(name);
  });
  const bound = new Map([...called.defaults, ...boundAttributes(node, frame)]);
  walkBody(
    { nodes: called.nodes, constants: [] },
    { ...frame, scope, bound, depth: frame.depth + 1, declared: new Map() },
  );
  return called.outputs.map((name) => lookUp(scope, name) ?? lostTensor(`${nodeName(node)} gives no ${name}`));
}
