import * as ort from 'onnxruntime-node';
import { beforeAll, describe, expect, test } from 'vitest';
import { maximumOutput, sumOutput, withMaximum } from '../../runners/backends/onnx/maximum-graph.js';
import { floats, graphBytes, lookup, type MiniTensor } from './mini-graph.js';

beforeAll(() => {
  ort.env.logLevel = 'fatal';
});

const table = [
  [1, -5, 0.25],
  [-2, 3, 0.5],
  [4, -1, -8],
];
const rows = [
  [0, 1],
  [2, 0],
];

/** Logits that are a table's rows plus a tensor that is added last. */
function added(bias: MiniTensor): Buffer {
  const { outputs, ...graph } = lookup(table, 'states', {
    nodes: [{ op: 'Add', inputs: ['states', bias.name], outputs: ['logits'] }],
    tensors: [bias],
  });
  return graphBytes({ ...graph, outputs: [{ ...outputs[0], name: 'logits' }] });
}

async function outputsOf(graph: Uint8Array): Promise<{ readonly maximum: number[]; readonly sums: readonly number[] }> {
  const longer = withMaximum(graph, 'logits');
  if (longer === null) throw new Error('left alone');
  const session = await ort.InferenceSession.create(longer, { logSeverityLevel: 4 });
  const ids = BigInt64Array.from(rows.flat(), BigInt);
  const feeds = {
    input_ids: new ort.Tensor('int64', ids, [2, 2]),
    attention_mask: new ort.Tensor(
      'int64',
      ids.map(() => 1n),
      [2, 2],
    ),
  };
  const { [maximumOutput]: maximum, [sumOutput]: sums } = await session.run(feeds, [maximumOutput, sumOutput]);
  expect([maximum.dims, sums.dims]).toEqual([
    [2, 3],
    [2, 2],
  ]);
  await session.release();
  return { maximum: Array.from(maximum.data, Number), sums: Array.from(sums.data, Number) };
}

/** The definition: the greatest of table + bias over the positions of a row. */
const expected = (biasAt: (position: number, term: number) => number) =>
  rows.flatMap((row) =>
    [0, 1, 2].map((term) => Math.max(...row.map((id, position) => table[id][term] + biasAt(position, term)))),
  );

const moved = (graph: Buffer) => Buffer.from(withMaximum(graph, 'logits') ?? []).includes('tenbin.unbiased');

describe.each([[{}], [{ sizes: 'packed' as const }]])('a tensor that is added last, sizes written as %o', (sizes) => {
  test('of one axis is added after the maximum', async () => {
    const graph = added({ name: 'b', type: 'float', dims: [3], data: floats([10, 20, 30]), ...sizes });
    expect(moved(graph)).toBe(true);
    expect((await outputsOf(graph)).maximum).toEqual(expected((_, term) => [10, 20, 30][term]));
  });

  test('of two axes differs by position, and is added before', async () => {
    const values = [100, 0, 0, 0, 50, 7];
    const graph = added({ name: 'b', type: 'float', dims: [2, 3], data: floats(values), ...sizes });
    expect(moved(graph)).toBe(false);
    expect((await outputsOf(graph)).maximum).toEqual(expected((position, term) => values[3 * position + term]));
  });
});

test.each([11, 12, 13, 17, 18, 20])('operators of version %i: the maximum and the sums', async (version) => {
  const graph = graphBytes(lookup(table, 'logits'));
  // The version is the last byte that `graphBytes` writes.
  graph[graph.length - 1] = version;
  const { maximum, sums } = await outputsOf(graph);
  expect(maximum).toEqual(expected(() => 0));
  expect(sums).toEqual(rows.flat().map((id) => table[id].reduce((sum, logit) => sum + logit, 0)));
});
