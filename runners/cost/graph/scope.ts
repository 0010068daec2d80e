import type { OnnxAttribute, OnnxFunction, OnnxNode, OnnxTensor } from './onnx/model.js';
import type { Shape, Tensor } from './tensor.js';
import type { CountedNode, GraphProblem } from './types.js';

/** Tensors by name; a body inside a node sees those around it. */
interface Scope {
  readonly tensors: Map<string, Tensor>;
  /** Inputs of a function that its call leaves out. */
  readonly left: Set<string>;
  readonly outer: Scope | null;
}

export interface Body {
  readonly nodes: readonly OnnxNode[];
  readonly constants: readonly OnnxTensor[];
}

/** What the walk writes down. */
export interface Sink {
  readonly counted: CountedNode[];
  readonly others: Map<string, number>;
  readonly problems: GraphProblem[];
}

/** Where the walk stands. */
export interface Frame {
  readonly scope: Scope;
  readonly sink: Sink;
  readonly functions: ReadonlyMap<string, OnnxFunction>;
  /** Shapes that the file declares, for those that get lost. */
  readonly declared: ReadonlyMap<string, Shape>;
  /** Attributes of the function's call; null outside of functions. */
  readonly bound: ReadonlyMap<string, OnnxAttribute> | null;
  readonly depth: number;
  /** What is left to be spent on a graph, so that a hostile one ends. */
  readonly budget: { nodes: number; values: number };
}

export const scopeUnder = (outer: Scope | null): Scope => ({ tensors: new Map(), left: new Set(), outer });

export const emptySink = (): Sink => ({ counted: [], others: new Map(), problems: [] });

export function lookUp(scope: Scope, name: string): Tensor | null {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const found = at.tensors.get(name);
    if (found !== undefined) return found;
  }
  return null;
}

export function isLeftOut(scope: Scope, name: string): boolean {
  for (let at: Scope | null = scope; at !== null; at = at.outer) if (at.left.has(name)) return true;
  return name === '';
}

export const lostTensor = (lost: string): Tensor => ({
  shape: null,
  type: 0,
  values: null,
  constant: false,
  layer: null,
  lost,
});

export const nodeName = ({ name, outputs, op }: OnnxNode) => name || outputs.find((output) => output !== '') || op;
export const opName = ({ domain, op }: OnnxNode) => (domain === '' ? op : `${domain}.${op}`);
