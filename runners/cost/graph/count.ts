import { byCodePoint } from '../../../core/order.js';
import { readModel } from './onnx/read-model.js';
import type { CountedNode, CountRequest, GraphCount, GraphProblem } from './types.js';
import { walkModel } from './walk-model.js';

/**
 * FLOPs of one forward pass, counted from the ONNX file: shapes are propagated from the sizes of the inputs through every
 * node, and each product of matrices is 2 · batch · rows · inner · columns. Products that depend on constants alone run when
 * the file is loaded and are listed apart. Reads no other file: the shapes of external data are in the graph.
 *
 * Throws `malformed` where the bytes are no ONNX graph, `usage` for sizes that are none, `refused` where the graph cannot
 * have them. What cannot be counted is no error: `problems` name it, and `exact` is false.
 */
export function countGraph(bytes: Uint8Array, request: CountRequest): GraphCount {
  const { counted, others, problems } = walkModel(readModel(bytes), request).sink;
  const total = sumOf(counted.filter(({ constant }) => !constant));
  const found = [...problems, ...(Number.isSafeInteger(total) ? [] : [rounded(total)])];
  return {
    total,
    exact: found.length === 0,
    byOp: byOp(counted),
    byNode: counted,
    others: [...others]
      .map(([op, count]) => ({ op, count }))
      .sort((a, b) => b.count - a.count || byCodePoint(a.op, b.op)),
    problems: found,
  };
}

const sumOf = (nodes: readonly CountedNode[]) => nodes.reduce((sum, { flops }) => sum + flops, 0);

/** Nodes of a kind, not their products: an attention operator is one. */
function byOp(counted: readonly CountedNode[]): GraphCount['byOp'] {
  const ops = new Map<string, { readonly nodes: Set<string>; flops: number }>();
  for (const { op, node, flops, constant } of counted) {
    if (constant) continue;
    const sums = ops.get(op) ?? { nodes: new Set<string>(), flops: 0 };
    sums.nodes.add(node);
    sums.flops += flops;
    ops.set(op, sums);
  }
  const rows = [...ops].map(([op, { nodes, flops }]) => ({ op, count: nodes.size, flops }));
  return rows.sort((a, b) => b.flops - a.flops || byCodePoint(a.op, b.op));
}

function rounded(total: number): GraphProblem {
  return { node: 'the whole graph', op: 'sum', why: `${total} is beyond 2^53 and rounded: count a smaller batch` };
}
