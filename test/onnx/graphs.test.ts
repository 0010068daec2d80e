import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Reading } from '../../runners/backends/onnx/job.js';
import { batchOf } from '../../runners/backends/onnx/padding.js';
import { openSession } from '../../runners/backends/onnx/session.js';
import { graphBytes, ids, lookup, type MiniGraph, type MiniValue, mask } from './mini-graph.js';
import { job, opened, request } from './run-graph.js';
import { folderOf } from './tiny-folder.js';

const table = [
  [1, 2],
  [3, -4],
  [-5, 6],
  [0.5, 0],
];

const mean: Reading = { kind: 'pooled', pooling: 'mean', normalize: false };

async function vectors(graph: MiniGraph, reading: Reading, ...all: readonly (readonly number[])[]): Promise<number[]> {
  return opened(graph, async ({ run }) => {
    const result = await run(job(reading, ...all));
    if (result.kind !== 'vectors') throw new Error(result.kind);
    return [...result.values];
  });
}

describe('pooling, on a graph that looks ids up in a table', () => {
  const graph = lookup(table, 'last_hidden_state');

  test('mean over attended positions, not over padding', async () => {
    expect(await vectors(graph, mean, [0, 1], [2], [0, 1, 2, 3])).toEqual([2, -1, -5, 6, -0.125, 1]);
  });

  test('the first and the last attended token', async () => {
    expect(await vectors(graph, { ...mean, pooling: 'cls' }, [1, 0], [2])).toEqual([3, -4, -5, 6]);
    expect(await vectors(graph, { ...mean, pooling: 'last-token' }, [1, 0, 3], [2])).toEqual([0.5, 0, -5, 6]);
  });

  test('length 1 where asked for; a vector of zeros stays one', async () => {
    const unit: Reading = { ...mean, normalize: true };
    const [x, y] = await vectors(graph, unit, [1]);
    expect([x, y]).toEqual([Math.fround(0.6), Math.fround(-0.8)]);
    expect(await vectors(lookup([[0, 0]], 'last_hidden_state'), unit, [0, 0])).toEqual([0, 0]);
  });

  test('what is not finite is passed on', async () => {
    const broken = lookup(
      [
        [Number.NaN, 1],
        [Number.POSITIVE_INFINITY, 1],
      ],
      'last_hidden_state',
    );
    expect(await vectors(broken, mean, [0], [1])).toEqual([Number.NaN, 1, Number.POSITIVE_INFINITY, 1]);
  });
});

describe('outputs', () => {
  const two = (first: string, second: string): MiniGraph => {
    const base = lookup(table, first);
    const doubled = { op: 'Add', inputs: [first, first], outputs: [second] };
    return {
      ...base,
      nodes: [...base.nodes, doubled],
      outputs: [...base.outputs, { ...base.outputs[0], name: second }],
    };
  };

  test('are chosen by name, in the documented order', async () => {
    expect(await vectors(two('last_hidden_state', 'present'), mean, [0])).toEqual([1, 2]);
    expect(await vectors(two('hidden_states', 'last_hidden_state'), mean, [0])).toEqual([2, 4]);
  });

  test('one alone is taken whatever its name; of several unknown ones none', async () => {
    expect(await vectors(lookup(table, 'out'), mean, [0])).toEqual([1, 2]);
    await expect(vectors(two('a', 'b'), mean, [0])).rejects.toThrow(
      /no output that fits the card: a \[batch, sequence, 2\], b/,
    );
  });

  test('pooled by the graph itself: taken as it is', async () => {
    const squeeze = { op: 'Squeeze', inputs: ['states', 'axis'], outputs: ['sentence_embedding'] };
    const axis = { name: 'axis', type: 'int64' as const, dims: [1], data: new Uint8Array(BigInt64Array.of(1n).buffer) };
    const outputs = [{ name: 'sentence_embedding', type: 'float' as const, dims: ['batch', 2] }];
    const graph = { ...lookup(table, 'states', { nodes: [squeeze], tensors: [axis] }), outputs };
    const folder = folderOf({ 'model.onnx': graphBytes(graph) });
    const session = await openSession(request(join(folder, 'model.onnx'), { leastWidth: 1 }));
    const result = await session.run(job(mean, [1], [3]));
    await session.close();
    expect(result).toMatchObject({ kind: 'vectors', width: 2, values: Float32Array.of(3, -4, 0.5, 0) });
  });

  test('in float16 are widened before anything is computed', async () => {
    const cast = { op: 'Cast', inputs: ['wide'], outputs: ['last_hidden_state'], ints: { to: 10 } };
    const base = lookup(
      [
        [0.1, 65_504],
        [1 / 3, -2],
      ],
      'wide',
      { nodes: [cast] },
    );
    const graph = { ...base, outputs: [{ ...base.outputs[0], name: 'last_hidden_state', type: 'float16' as const }] };
    expect(await vectors(graph, mean, [0], [1])).toEqual([0.0999755859375, 65_504, 0.333251953125, -2]);
  });

  test('of another number format are refused by name', async () => {
    const cast = { op: 'Cast', inputs: ['wide'], outputs: ['last_hidden_state'], ints: { to: 6 } };
    const base = lookup(table, 'wide', { nodes: [cast] });
    const graph = { ...base, outputs: [{ ...base.outputs[0], name: 'last_hidden_state', type: 'int32' as const }] };
    await expect(vectors(graph, mean, [0])).rejects.toThrow(/last_hidden_state: int32/);
  });
});

describe('inputs', () => {
  const adding = (input: MiniValue, node: MiniGraph['nodes'][number]): MiniGraph => {
    const base = lookup(table, 'states', { nodes: [node], inputs: [input] });
    return { ...base, outputs: [{ ...base.outputs[0], name: 'last_hidden_state' }] };
  };
  const toFloat = (name: string) => ({ op: 'Cast', inputs: [name], outputs: ['as_float'], ints: { to: 1 } });

  test('ids in int32 where the graph wants them so', async () => {
    const base = lookup(table, 'last_hidden_state');
    expect(await vectors({ ...base, inputs: [ids('int32')] }, mean, [2, 2])).toEqual([-5, 6]);
  });

  test('segments and positions, when they are asked for', async () => {
    const read = async (name: string) => {
      const added = adding({ ...mask, name }, toFloat(name));
      const base = { ...added, inputs: [ids(), { ...mask, name }] };
      const unsqueeze = { op: 'Unsqueeze', inputs: ['as_float', 'axis'], outputs: ['last_hidden_state'] };
      const axis = {
        name: 'axis',
        type: 'int64' as const,
        dims: [1],
        data: new Uint8Array(BigInt64Array.of(2n).buffer),
      };
      const outputs = [{ name: 'last_hidden_state', type: 'float' as const, dims: ['batch', 'sequence', 1] }];
      const graph = { ...base, nodes: [...base.nodes, unsqueeze], tensors: [...(base.tensors ?? []), axis], outputs };
      return opened(graph, async ({ run }) => {
        const batch = batchOf([
          { ids: [0, 1, 2], typeIds: [0, 1, 1] },
          { ids: [3], typeIds: [1] },
        ]);
        const result = await run({ batch, reading: { ...mean, pooling: 'last-token' }, decoder: null });
        return result.kind === 'vectors' ? [...result.values] : [];
      });
    };
    expect(await read('token_type_ids')).toEqual([1, 1]);
    expect(await read('position_ids')).toEqual([2, 0]);
    expect(await read('attention_mask')).toEqual([1, 1]);
  });

  test('caches of the past are empty, of the shape that the graph says', async () => {
    const past: MiniValue = { name: 'past_key_values.0.key', type: 'float', dims: ['batch', 2, 'past', 3] };
    const present = { op: 'Identity', inputs: ['past_key_values.0.key'], outputs: ['present.0.key'] };
    const base = lookup(table, 'last_hidden_state', { nodes: [present], inputs: [past] });
    expect(await vectors(base, mean, [1], [0])).toEqual([3, -4, 1, 2]);
  });

  test('one that we cannot feed is named, and so is one of another type', async () => {
    const extra = { ...mask, name: 'task_id' };
    await expect(
      vectors(adding(extra, { op: 'Identity', inputs: ['states'], outputs: ['last_hidden_state'] }), mean, [0]),
    ).rejects.toThrow(/cannot feed: task_id: int64 \[batch, sequence\]/);
    const base = lookup(table, 'last_hidden_state');
    const wrong = { ...base, inputs: [ids(), { ...mask, type: 'float' as const }] };
    await expect(vectors(wrong, mean, [0])).rejects.toThrow(/cannot feed: attention_mask: float32/);
  });

  test('an id beyond the vocabulary is an error of the graph, and the next job runs', async () => {
    await opened(lookup(table, 'last_hidden_state'), async ({ run }) => {
      await expect(run(job(mean, [4]))).rejects.toThrow(/could not run the graph.*out of data bounds/);
      expect(await run(job(mean, [0]))).toMatchObject({ kind: 'vectors', values: Float32Array.of(1, 2) });
    });
  });
});
