import type { OnnxAttribute, OnnxGraph, OnnxNode } from './onnx/model.js';
import {
  type Body,
  emptySink,
  type Frame,
  lookUp,
  lostTensor,
  nodeName,
  opName,
  type Sink,
  scopeUnder,
} from './scope.js';
import { axisOf, type Shape, type Tensor, unfit } from './tensor.js';

/** A node that runs graphs of its own. */
interface ControlCall {
  readonly node: OnnxNode;
  readonly attributes: ReadonlyMap<string, OnnxAttribute>;
  readonly inputs: readonly (Tensor | null)[];
  readonly frame: Frame;
  /** Walks over a body. */
  readonly run: (body: Body, frame: Frame) => void;
}

type Control = (call: ControlCall) => readonly Tensor[];

/** The outputs of a graph inside the node, and what was counted in it. */
function ran(
  call: ControlCall,
  name: string,
  fed: readonly Tensor[],
): { readonly outputs: readonly Tensor[]; readonly sink: Sink } {
  const graph: OnnxGraph | null = call.attributes.get(name)?.graph ?? null;
  if (graph === null) throw unfit(`attribute ${name} is missing`);
  const scope = scopeUnder(call.frame.scope);
  const sink = emptySink();
  graph.inputs.forEach((input, i) => {
    scope.tensors.set(input.name, fed[i] ?? lostTensor(`${nodeName(call.node)} feeds no ${input.name}`));
  });
  call.run(graph, { ...call.frame, scope, sink, declared: new Map() });
  const outputs = graph.outputs.map(
    (output) => lookUp(scope, output.name) ?? lostTensor(`${nodeName(call.node)} gives no ${output.name}`),
  );
  return { outputs, sink };
}

const flopsIn = ({ counted }: Sink) => counted.reduce((sum, one) => sum + (one.constant ? 0 : one.flops), 0);

/** What ran inside is written down as often as it runs. */
function keep(call: ControlCall, { counted, others, problems }: Sink, times: number): void {
  const { sink } = call.frame;
  for (const one of problems) sink.problems.push(one);
  if (times === 0) return;
  for (const one of counted) sink.counted.push({ ...one, times: one.times * times, flops: one.flops * times });
  for (const [op, count] of others) sink.others.set(op, (sink.others.get(op) ?? 0) + count);
}

function problem({ node, frame }: ControlCall, why: string): void {
  frame.sink.problems.push({ node: nodeName(node), op: opName(node), why });
}

const sameSizes = (a: Shape | null, b: Shape | null) =>
  a !== null && b !== null && a.length === b.length && a.every((size, i) => size === b[i]);

/** Known by its shape alone: what comes out of a branch or round that may have been another. */
const unread = (tensor: Tensor): Tensor => ({ ...tensor, values: null, constant: false });

/** The branch that its condition takes; where that depends on the texts the cheaper one, as a lower bound. */
const branch: Control = (call) => {
  const condition = call.inputs[0]?.values?.[0];
  if (condition !== undefined) {
    const taken = ran(call, condition === 0 ? 'else_branch' : 'then_branch', []);
    keep(call, taken.sink, 1);
    return taken.outputs;
  }
  const [one, other] = [ran(call, 'then_branch', []), ran(call, 'else_branch', [])];
  const isLess = flopsIn(one.sink) <= flopsIn(other.sink);
  keep(call, isLess ? one.sink : other.sink, 1);
  if (flopsIn(one.sink) !== flopsIn(other.sink) || one.sink.problems.length + other.sink.problems.length > 0) {
    problem(call, 'which branch is taken depends on the texts: the cheaper one is counted');
  }
  return one.outputs.map((tensor, i) =>
    sameSizes(tensor.shape, other.outputs[i]?.shape ?? null)
      ? unread(tensor)
      : lostTensor(`${nodeName(call.node)}: its branches give different shapes`),
  );
};

interface Rounds {
  /** Rounds that are sure, and whether there may be more. */
  readonly sure: number;
  readonly exact: boolean;
  /** A number that the file says, and that no double holds exactly; infinite where nothing ends the loop. */
  readonly beyond?: number;
}

function roundsOf(most: Tensor | null, first: number | undefined, next: number | undefined): Rounds {
  const limit = most === null ? Number.POSITIVE_INFINITY : most.values?.[0];
  if (first === 0 || (limit !== undefined && limit <= 0)) return { sure: 0, exact: true };
  if (first === undefined || limit === undefined) return { sure: 0, exact: false };
  if (next === 0) return { sure: 1, exact: true };
  if (next === undefined) return { sure: 1, exact: false };
  return Number.isSafeInteger(limit) ? { sure: limit, exact: true } : { sure: 1, exact: false, beyond: limit };
}

function whyRounds({ beyond }: Rounds, counted: number): string {
  if (beyond === undefined) return `how often it runs depends on the texts: ${counted} is counted`;
  const rounds = Number.isFinite(beyond) ? `it runs ${beyond} times, beyond 2^53` : 'nothing ends it';
  return `${rounds}: ${counted} is counted`;
}

/** The body is walked once: its rounds are alike where what they hand on keeps its shape. */
const loop: Control = (call) => {
  const [most, first, ...carried] = call.inputs;
  const given = carried.filter((tensor) => tensor !== null);
  const number = { type: 7, shape: [], values: null, constant: false, layer: null, lost: null };
  const { outputs, sink } = ran(call, 'body', [number, { ...number, type: 9, values: [1] }, ...given.map(unread)]);
  const rounds = roundsOf(
    most ?? null,
    first === null || first === undefined ? 1 : first.values?.[0],
    outputs[0]?.values?.[0],
  );
  const states = outputs.slice(1, 1 + given.length);
  const changes = states.some((state, i) => !sameSizes(state.shape, given[i].shape));
  const isSure = rounds.exact && (!changes || rounds.sure <= 1);
  const times = changes ? Math.min(rounds.sure, 1) : rounds.sure;
  keep(call, sink, times);
  if (!isSure && (flopsIn(sink) > 0 || sink.problems.length > 0)) {
    problem(call, changes ? 'its rounds are of different sizes: the first is counted' : whyRounds(rounds, times));
  }
  const unknown = lostTensor(`${nodeName(call.node)}: ${whyRounds(rounds, times)}`);
  const after = given.map((tensor, i) =>
    rounds.exact && rounds.sure === 0 ? tensor : isSure || !changes ? unread(states[i] ?? unknown) : unknown,
  );
  return [...after, ...outputs.slice(1 + given.length).map((one) => (isSure ? stacked(one, 0, times) : unknown))];
};

function stacked(tensor: Tensor, axis: number, rounds: number): Tensor {
  if (tensor.shape === null) return tensor;
  const at = axisOf(axis, tensor.shape.length + 1);
  return { ...unread(tensor), shape: [...tensor.shape.slice(0, at), rounds, ...tensor.shape.slice(at)] };
}

/** A loop over an axis: as many rounds as it is long. */
const scan: Control = (call) => {
  if (call.attributes.has('directions')) throw unfit('a Scan of version 8, with batches of its own');
  const many = call.attributes.get('num_scan_inputs')?.int ?? 0;
  const inputs = call.inputs.filter((tensor) => tensor !== null);
  const states = inputs.slice(0, inputs.length - many);
  const axes = call.attributes.get('scan_input_axes')?.ints ?? [];
  let rounds = 0;
  const slices = inputs.slice(states.length).map((tensor, i) => {
    if (tensor.shape === null) throw unfit(tensor.lost ?? 'what is scanned has no known shape');
    const axis = axisOf(axes[i] ?? 0, tensor.shape.length);
    rounds = tensor.shape[axis];
    return { ...unread(tensor), shape: tensor.shape.filter((_, j) => j !== axis) };
  });
  const { outputs, sink } = ran(call, 'body', [...states.map(unread), ...slices]);
  keep(call, sink, rounds);
  const outputAxes = call.attributes.get('scan_output_axes')?.ints ?? [];
  return outputs.map((one, i) =>
    i < states.length ? unread(one) : stacked(one, outputAxes[i - states.length] ?? 0, rounds),
  );
};

export const controls: ReadonlyMap<string, Control> = new Map([
  ['If', branch],
  ['Loop', loop],
  ['Scan', scan],
]);
