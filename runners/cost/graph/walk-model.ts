import { inputsOf } from './inputs.js';
import type { OnnxGraph, OnnxModel, OnnxValue } from './onnx/model.js';
import { emptySink, type Frame, type Sink, scopeUnder } from './scope.js';
import type { Shape, Tensor } from './tensor.js';
import type { CountRequest } from './types.js';
import { walkBody } from './walk.js';

/** Far above what exporters write: a large decoder has some ten thousand nodes, and folds some hundred thousand numbers. */
const mostNodes = 100_000;
const mostFolded = 4_000_000;

/** What is known of every tensor of the graph for one request, and what was counted on the way. */
export function walkModel(
  { graph, functions }: OnnxModel,
  request: CountRequest,
): { readonly tensors: ReadonlyMap<string, Tensor>; readonly sink: Sink } {
  const { tensors, symbols } = inputsOf(graph, request);
  const scope = scopeUnder(null);
  for (const [name, tensor] of tensors) scope.tensors.set(name, tensor);
  const frame: Frame = {
    scope,
    sink: emptySink(),
    functions: new Map(functions.map((one) => [one.domain === '' ? one.name : `${one.domain}.${one.name}`, one])),
    declared: declaredIn(graph, symbols),
    bound: null,
    depth: 0,
    budget: { nodes: mostNodes, values: mostFolded },
  };
  walkBody(graph, frame);
  return { tensors: scope.tensors, sink: frame.sink };
}

function declaredIn({ values, outputs }: OnnxGraph, symbols: ReadonlyMap<string, number>): ReadonlyMap<string, Shape> {
  const declared = [...values, ...outputs].map((value) => [value.name, sizesOf(value, symbols)] as const);
  return new Map(declared.flatMap(([name, shape]) => (shape === null ? [] : [[name, shape] as const])));
}

/** Null where one of the sizes has no name that the inputs tell. */
function sizesOf({ dims }: OnnxValue, symbols: ReadonlyMap<string, number>): Shape | null {
  const sizes = dims?.map((dim) => (typeof dim === 'number' ? dim : symbols.get(dim))) ?? [undefined];
  const known = sizes.filter((size) => size !== undefined);
  return known.length === sizes.length ? known : null;
}
