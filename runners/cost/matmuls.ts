import type { Architecture } from '../models/card.js';
import { attentionWidth, headSizeOf, keyValueWidth } from './layer.js';
import type { Passes } from './passes.js';
import type { Matmul } from './types.js';

/** Where a stack of layers stands, how its matrix multiplications are called, and what goes through it. */
export interface StackPasses {
  readonly of: Architecture;
  readonly prefix: string;
  readonly layers: number;
  readonly passes: Passes;
}

/** A linear layer of every position. */
function linear(stack: StackPasses, name: string, inner: number, columns: number): Matmul {
  return experts({ ...stack, copies: 1 }, name, inner, columns);
}

function experts(
  { prefix, layers, passes, copies }: StackPasses & { readonly copies: number },
  name: string,
  inner: number,
  columns: number,
): Matmul {
  return {
    name: `${prefix}${name}`,
    part: 'body',
    shape: oneShape(passes, copies, inner, columns),
    count: layers * passes.count,
    flops: 2 * layers * copies * passes.positions * inner * columns,
  };
}

function oneShape({ each, count, positions }: Passes, copies: number, inner: number, columns: number): Matmul['shape'] {
  const rows = each?.rows ?? (count === positions ? 1 : null);
  return rows === null ? null : [copies, rows, inner, columns];
}

/** Attention of a stack to itself: projections, scores over all tokens and over windows, and the output. */
export function selfAttention(stack: StackPasses): readonly Matmul[] {
  const { of, layers } = stack;
  const width = attentionWidth(of);
  const local = of.window === undefined ? 0 : Math.min(of.localLayers ?? 0, layers);
  const seen = groupsOf(stack, local);
  return [
    linear(stack, 'q_proj', of.hidden, width),
    linear(stack, 'k_proj', of.hidden, keyValueWidth(of)),
    linear(stack, 'v_proj', of.hidden, keyValueWidth(of)),
    ...seen.map((group) => scores(stack, group, 'scores_qk')),
    ...seen.map((group) => scores(stack, group, 'weights_v')),
    linear(stack, 'o_proj', width, of.hidden),
    ...relative(stack),
  ];
}

interface Group {
  readonly layers: number;
  readonly window: number;
}

/** A window that the text fits in is none. */
function groupsOf({ of, layers, passes }: StackPasses, local: number): readonly Group[] {
  const everything = { layers, window: Number.POSITIVE_INFINITY };
  if (local === 0 || passes.pairs(of.window) === passes.pairs()) return [everything];
  const groups = [
    { ...everything, layers: layers - local },
    { layers: local, window: of.window ?? Number.POSITIVE_INFINITY },
  ];
  return groups.filter((group) => group.layers > 0);
}

function scores({ of, prefix, passes }: StackPasses, group: Group, name: 'scores_qk' | 'weights_v'): Matmul {
  const size = headSizeOf(of);
  const band = passes.sight === 'both' && Number.isFinite(group.window);
  const seen = Math.min(passes.each?.keys ?? 0, group.window);
  const [inner, columns] = name === 'scores_qk' ? [size, seen] : [seen, size];
  return {
    name: `${prefix}${name}`,
    part: 'body',
    shape: passes.each === null || band ? null : [of.heads, passes.each.rows, inner, columns],
    count: group.layers * passes.count,
    flops: 2 * group.layers * of.heads * size * passes.pairs(group.window),
  };
}

/** DeBERTa: see `relativeFlops`. */
function relative({ of, prefix, layers, passes }: StackPasses): readonly Matmul[] {
  const rows = of.relativePositions;
  if (rows === undefined) return [];
  const size = headSizeOf(of);
  const matmul = (name: string, shape: readonly [number, number, number, number]): Matmul => {
    const [batch, height, inner, columns] = shape;
    const flops = 2 * layers * batch * height * inner * columns;
    return { name: `${prefix}${name}`, part: 'body', shape, count: layers, flops };
  };
  const table = [1, rows, of.hidden, attentionWidth(of)] as const;
  const against = [of.heads, passes.positions, size, rows] as const;
  return [
    matmul('position_k_proj', table),
    matmul('position_q_proj', table),
    matmul('scores_q_position', against),
    matmul('scores_k_position', against),
  ];
}

/** Attention of a decoder to `source` positions of its encoder; `projected`: how often these give keys and values anew. */
export function crossAttention(stack: StackPasses, source: number, projected: number): readonly Matmul[] {
  const { of, passes, layers, prefix } = stack;
  const width = attentionWidth(of);
  const size = headSizeOf(of);
  const keyOrValue = (name: string): Matmul => ({
    name: `${prefix}${name}`,
    part: 'body',
    shape: [1, source, of.hidden, keyValueWidth(of)],
    count: layers * projected,
    flops: 2 * layers * projected * source * of.hidden * keyValueWidth(of),
  });
  const attend = (name: string, inner: number, columns: number): Matmul => ({
    name: `${prefix}${name}`,
    part: 'body',
    shape: oneShape(passes, of.heads, inner, columns),
    count: layers * passes.count,
    flops: 2 * layers * of.heads * passes.positions * inner * columns,
  });
  return [
    linear(stack, 'q_proj', of.hidden, width),
    ...(projected === 0 ? [] : [keyOrValue('k_proj'), keyOrValue('v_proj')]),
    attend('scores_qk', size, source),
    attend('weights_v', source, size),
    linear(stack, 'o_proj', width, of.hidden),
  ];
}

/** Feed-forward layers: plain ones, and those of a mixture with their router. */
export function feedForward(stack: StackPasses): readonly Matmul[] {
  const { of, layers } = stack;
  if (of.experts === undefined) return plainFeedForward(stack, of.feedForward);
  const plain = Math.min(of.denseLayers ?? 0, layers);
  const mixed = { ...stack, layers: layers - plain };
  return [
    ...(plain === 0 ? [] : plainFeedForward({ ...stack, layers: plain }, of.denseFeedForward ?? of.feedForward)),
    ...(mixed.layers === 0 ? [] : mixture(mixed, of.experts)),
  ];
}

function plainFeedForward(stack: StackPasses, width: number): readonly Matmul[] {
  const { hidden, gated } = stack.of;
  return [
    linear(stack, 'up', hidden, width),
    ...(gated ? [linear(stack, 'gate', hidden, width)] : []),
    linear(stack, 'down', width, hidden),
  ];
}

/** Shared experts of the width of the others are counted with them. */
function mixture(stack: StackPasses, routed: number): readonly Matmul[] {
  const { of } = stack;
  const shared = of.sharedExperts ?? 0;
  const apart = shared > 0 && of.sharedFeedForward !== undefined;
  const active = { ...stack, copies: (of.activeExperts ?? 1) + (apart ? 0 : shared) };
  const matrices = (at: typeof active, name: string, width: number) => [
    ...(of.gated ? [experts(at, `${name}_gate`, of.hidden, width)] : []),
    experts(at, `${name}_up`, of.hidden, width),
    experts(at, `${name}_down`, width, of.hidden),
  ];
  return [
    linear(stack, 'router', of.hidden, routed),
    ...matrices(active, 'expert', of.feedForward),
    ...(apart ? matrices({ ...stack, copies: shared }, 'shared_expert', of.sharedFeedForward ?? 0) : []),
    ...(of.sharedGate === true ? [linear(stack, 'shared_expert_weight', of.hidden, 1)] : []),
  ];
}
