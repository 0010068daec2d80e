import { join } from 'node:path';
import * as ort from 'onnxruntime-node';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import { openSession } from '../../runners/backends/onnx/session.js';
import { useOutputs } from '../../runners/backends/onnx/use-outputs.js';
import type { ModelFiles } from '../../runners/models/card.js';
import { ceTiny, colbertTiny, cpu, denseTiny, spladeTiny } from './cards.js';
import { graphBytes, lookup } from './mini-graph.js';
import { job, request } from './run-graph.js';
import { folderOf, wordTokenizer } from './tiny-folder.js';

/** Native memory is not collected: whatever the runtime opens is counted here, and whether it is released. */
const sessions: { releases: number }[] = [];
beforeEach(() => {
  sessions.length = 0;
  const create = ort.InferenceSession.create.bind(ort.InferenceSession) as (
    ...all: readonly unknown[]
  ) => Promise<ort.InferenceSession>;
  vi.spyOn(ort.InferenceSession, 'create').mockImplementation(async (...all: readonly unknown[]) => {
    const session = await create(...all);
    const count = { releases: 0 };
    sessions.push(count);
    const release = session.release.bind(session);
    session.release = async () => {
      count.releases++;
      await release();
    };
    return session;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const each = (count: number) => Array.from({ length: count }, () => ({ releases: 1 }));
const table = Array.from({ length: 8 }, (_, i) => [i, 1]);
const folder = (output: string) =>
  folderOf({ 'model.onnx': graphBytes(lookup(table, output)), ...wordTokenizer(['a', 'b', 'c']) });
const path = (output: string) => join(folder(output), 'model.onnx');

describe('sessions of the runtime', () => {
  test('are released once when a session is closed, after the jobs that wait', async () => {
    const session = await openSession(request(path('last_hidden_state')));
    expect(sessions).toEqual([{ releases: 0 }]);
    const last = session.run(job({ kind: 'pooled', pooling: 'cls', normalize: false }, [3]));
    await session.close();
    expect(await last).toMatchObject({ values: Float32Array.of(3, 1) });
    expect(sessions).toEqual(each(1));
  });

  test('the plain graph is released when the one with a maximum takes its place', async () => {
    const session = await openSession(request(path('logits'), { maximum: 'in-graph' }));
    expect(sessions).toEqual([{ releases: 1 }, { releases: 0 }]);
    await session.close();
    expect(sessions).toEqual(each(2));
  });

  test('of an encoder and its decoder both are', async () => {
    const session = await openSession(request(path('logits'), { encoderPath: path('last_hidden_state') }));
    await session.close();
    expect(sessions).toEqual(each(2));
  });

  test('the first is released when the second cannot be opened', async () => {
    const missing = { encoderPath: '/nowhere/encoder.onnx' };
    await expect(openSession(request(path('logits'), missing))).rejects.toThrow(/no such graph/);
    expect(sessions).toEqual(each(1));
  });

  const files = { fp32: 'model.onnx' };
  test.each([
    ['no output fits the card', { ...ceTiny, files }, 'logits', 1],
    ['the table of queries is missing', { ...spladeTiny, files, queries: { idf: 'idf.json' } }, 'logits', 2],
    ['a marker is no token', { ...colbertTiny, files, dims: 2, queryMarker: '[Q]' }, 'token_embeddings', 1],
  ] as const)('are released when a model cannot be built on them: %s', async (_, card, output, count) => {
    await expect(openOnnx({ card, dtype: 'fp32', folder: folder(output) } as ModelFiles, cpu)).rejects.toThrow();
    expect(sessions).toEqual(each(count));
  });

  test('of a model are released when it is closed', async () => {
    const card = { ...denseTiny, files, dims: 2 };
    const model = await openOnnx({ card, dtype: 'fp32', folder: folder('last_hidden_state') }, cpu);
    expect(sessions).toEqual([{ releases: 0 }]);
    await model.close();
    expect(sessions).toEqual(each(1));
  });
});

describe('output tensors', () => {
  const made = () => {
    const tensors = { a: new ort.Tensor('float32', [1], [1]), b: new ort.Tensor('float32', [2], [1]) };
    const disposals = [vi.spyOn(tensors.a, 'dispose'), vi.spyOn(tensors.b, 'dispose')];
    const run = vi.fn(async () => tensors);
    return { run: { session: { run }, feeds: {}, outputs: ['b', 'a'] }, asked: run, disposals };
  };
  const times = (disposals: ReturnType<typeof made>['disposals']) => disposals.map((one) => one.mock.calls.length);

  test('are given in the order that is asked for, and disposed of after their use', async () => {
    const { run, asked, disposals } = made();
    const used = await useOutputs(run, async (...tensors) => {
      await Promise.resolve();
      expect(times(disposals)).toEqual([0, 0]);
      return tensors.map(({ data }) => data[0]);
    });
    expect(used).toEqual([2, 1]);
    expect(asked).toHaveBeenCalledWith({}, ['b', 'a']);
    expect(times(disposals)).toEqual([1, 1]);
  });

  test('are disposed of when their use fails', async () => {
    const { run, disposals } = made();
    await expect(useOutputs(run, () => Promise.reject(new Error('unreadable')))).rejects.toThrow('unreadable');
    expect(times(disposals)).toEqual([1, 1]);
  });

  test('of a session are disposed of, one for each job', async () => {
    const disposed = vi.spyOn(ort.Tensor.prototype, 'dispose');
    const session = await openSession(request(path('last_hidden_state')));
    const mean = { kind: 'pooled', pooling: 'mean', normalize: false } as const;
    await session.run(job(mean, [1], [2]));
    await session.run(job(mean, [3]));
    await session.close();
    expect(disposed).toHaveBeenCalledTimes(2);
  });
});
