import { expect, test } from 'vitest';
import {
  type Architecture,
  type CountRequest,
  countGraph,
  explain,
  type ForwardFlops,
  type ForwardRequest,
  forwardFlops,
  type GraphCount,
  type GraphDifference,
} from '../../runners/index.js';
import { onnx, weights } from './graph/mini-onnx.js';

/** What a user of `tenbin/runners` writes: the types of what its functions take and give are named there. */
test('a graph is counted and explained with what the package exports', () => {
  const architecture: Architecture = {
    kind: 'encoder',
    layers: 1,
    hidden: 8,
    heads: 2,
    feedForward: 16,
    gated: false,
    vocabulary: 10,
  };
  const request: ForwardRequest = { architecture, head: { kind: 'none' }, tokens: 4 };
  const forward: ForwardFlops = forwardFlops(request);
  const asked: CountRequest = { batch: 1, tokens: 4 };
  const bytes = onnx({
    nodes: [{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['out'] }],
    tensors: [weights('w', 8, 16)],
    inputs: [{ name: 'x', dims: ['batch', 'sequence', 8] }],
    outputs: [{ name: 'out' }],
  });
  const count: GraphCount = countGraph(bytes, asked);
  const difference: readonly GraphDifference[] = explain(count, forward);
  const sum = difference.reduce((total, { flops }) => total + flops, 0);
  expect(sum).toBe(count.total - forward.total);
  expect(difference.some(({ op }) => op === 'up')).toBe(false);
});
