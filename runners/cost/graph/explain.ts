import type { Matmul } from '../types.js';
import { type Closed, closedProducts, type Leftover, matched } from './match.js';
import type { CountedNode, GraphCount, GraphDifference } from './types.js';

/**
 * Why a graph and a closed form differ, product by product; the parts add up to `count.total` minus the closed form's
 * FLOPs, and none are left where the two agree. `batch`: texts that the graph was counted for; a closed form is of one.
 */
export function explain(
  count: GraphCount,
  { matmuls, batch = 1 }: { readonly matmuls: readonly Matmul[]; readonly batch?: number },
): readonly GraphDifference[] {
  const nodes = count.byNode.filter((node) => !node.constant);
  const left = matched(nodes, closedProducts(matmuls, batch));
  const rows = otherRows(left);
  const seen = outsideWindows(rows.left);
  const missing = seen.left.closed.map(({ name, part, flops }) => ({
    op: name,
    flops: -flops,
    why:
      part === 'head'
        ? 'not in the graph: what follows its outputs is computed outside of it'
        : 'not in the graph, or in a node that could not be counted',
  }));
  const extra = seen.left.nodes.map((node) => ({ op: node.node, flops: node.flops, why: extraWork(node) }));
  return together([...rows.found, ...seen.found, ...missing, ...extra]);
}

/** Layers repeat: what has one reason under one name is one line. */
function together(differences: readonly GraphDifference[]): readonly GraphDifference[] {
  const lines = new Map<string, GraphDifference>();
  for (const one of differences) {
    const key = JSON.stringify([one.op, one.why]);
    lines.set(key, { ...one, flops: one.flops + (lines.get(key)?.flops ?? 0) });
  }
  return [...lines.values()].filter(({ flops }) => flops !== 0);
}

function extraWork({ op, shape, weights }: CountedNode): string {
  const size = `${op} of [${shape.join(', ')}]`;
  if (shape[2] === 1) return `${size}: every position times every frequency, the angles of rotary positions`;
  if (weights) return `${size}: a layer with weights that the closed form does not have`;
  return `${size}: a product of two activations that the closed form does not have`;
}

interface Step {
  readonly left: Leftover;
  readonly found: readonly GraphDifference[];
}

/** The same matrix at other positions: a head over all tokens where one is read, or the reverse. */
function otherRows({ nodes, closed }: Leftover): Step {
  const waiting = placesBySize(closed);
  const taken = new Set<number>();
  const found: GraphDifference[] = [];
  const left = nodes.filter((node) => {
    const [, , inner, columns] = node.shape;
    const at = node.weights ? waiting.get(`${inner} ${columns}`)?.pop() : undefined;
    if (at === undefined) return true;
    taken.add(at);
    const one = closed[at];
    const each = 2 * inner * columns;
    const why = `the graph computes it at ${node.flops / each} positions, the closed form at ${one.flops / each}`;
    found.push({ op: one.name, flops: node.flops - one.flops, why });
    return false;
  });
  return { left: { nodes: left, closed: closed.filter((_, i) => !taken.has(i)) }, found };
}

/** Places in the list by inner size and columns, the first one last. */
function placesBySize(closed: readonly Closed[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  closed.forEach(({ inner, columns }, i) => {
    const list = places.get(`${inner} ${columns}`);
    if (list === undefined) places.set(`${inner} ${columns}`, [i]);
    else list.push(i);
  });
  for (const list of places.values()) list.reverse();
  return places;
}

const isOfPairs = ({ name }: Closed) => /scores_qk|weights_v/.test(name);

/** The closed form counts the band that a window leaves; most graphs multiply all pairs and mask the others. */
function outsideWindows({ nodes, closed }: Leftover): Step {
  const isBand = (one: Closed) => isOfPairs(one) && one.inner === null;
  const isPairs = (node: CountedNode) => !node.weights && node.shape[2] > 1;
  const [bands, pairs] = [closed.filter(isBand), nodes.filter(isPairs)];
  const surplus = sumOf(pairs) - sumOf(bands);
  if (bands.length === 0 || surplus < 0) return { left: { nodes, closed }, found: [] };
  const why = 'the graph multiplies all pairs of positions, and masks those outside of the window';
  return {
    left: {
      nodes: nodes.filter((node) => !isPairs(node)),
      closed: closed.filter((one) => !isBand(one)),
    },
    found: [{ op: bands[0].name.replace(/scores_qk|weights_v/, 'scores_qk, weights_v'), flops: surplus, why }],
  };
}

const sumOf = (list: readonly { readonly flops: number }[]) => list.reduce((sum, { flops }) => sum + flops, 0);
