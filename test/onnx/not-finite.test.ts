import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import type { Job, JobResult } from '../../runners/backends/onnx/job.js';
import { openSession } from '../../runners/backends/onnx/session.js';
import type { ModelCard } from '../../runners/models/card.js';
import { colbertTiny, cpu, denseTiny, spladeTiny } from './cards.js';
import { graphBytes, lookup } from './mini-graph.js';
import { asEncoder } from './references.js';
import { job, request } from './run-graph.js';
import { folderOf, wordTokenizer } from './tiny-folder.js';

const nan = Number.NaN;
const weighing = { kind: 'sparse', logarithms: 1, skip: [] } as const;

/** What the graph's own maximum makes of one job, and what reading all its logits does. */
async function bothWays(table: readonly (readonly number[])[], one: () => Job): Promise<JobResult[]> {
  const path = join(folderOf({ 'model.onnx': graphBytes(lookup(table, 'logits')) }), 'model.onnx');
  const results: JobResult[] = [];
  for (const maximum of [{ maximum: 'in-graph' }, {}] as const) {
    const session = await openSession(request(path, maximum));
    results.push(await session.run(one()));
    await session.close();
  }
  return results;
}

describe('a logit that is no number', () => {
  const table = [
    [1, -1, 0],
    [nan, 2, 0],
    [3, -3, 0],
  ];

  test.each([[[0, 1, 2]], [[1, 0, 2]], [[2, 0, 1]], [[2, 1, 0]]])(
    'is a weight that is no number, wherever it stands: %s',
    async (order) => {
      const [inGraph, after] = await bothWays(table, () => job(weighing, order));
      expect(inGraph).toEqual(after);
      expect(inGraph).toMatchObject({ terms: Int32Array.of(0, 1), weights: Float32Array.of(nan, Math.log(3)) });
    },
  );

  test('touches no other row of its batch', async () => {
    const [inGraph, after] = await bothWays(table, () => job(weighing, [0, 2], [1, 2], [2, 2]));
    expect(inGraph).toEqual(after);
    expect(inGraph).toMatchObject({ weights: Float32Array.of(Math.log(4), nan, Math.log(3), Math.log(4)) });
  });

  test('infinite logits of both signs are no NaN: their sum is, their weights are what they are', async () => {
    const [inGraph, after] = await bothWays([[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1]], () =>
      job(weighing, [0, 0]),
    );
    expect(inGraph).toEqual(after);
    expect(inGraph).toMatchObject({ terms: Int32Array.of(0, 2), weights: Float32Array.of(Infinity, Math.log(2)) });
  });
});

describe('an encoding with a number that is not finite', () => {
  const words = ['good', 'bad', 'huge'];
  /** A row per id of the tokenizer: five special tokens, then the words. */
  const table = [...Array.from({ length: 5 }, () => [1, 2]), [3, 1], [nan, 1], [Number.POSITIVE_INFINITY, 1]];
  const open = async (card: ModelCard, output: string) => {
    const folder = folderOf({ 'model.onnx': graphBytes(lookup(table, output)), ...wordTokenizer(words) });
    return asEncoder(await openOnnx({ card, dtype: 'fp32', folder }, cpu));
  };
  const files = { fp32: 'model.onnx' };
  const late = { ...colbertTiny, dims: 2, queryMarker: null, documentMarker: null, expansion: null, skiplist: [] };

  test.each([
    ['dense', { ...denseTiny, files, dims: 2, normalize: false }, 'last_hidden_state'],
    ['dense of unit length', { ...denseTiny, files, dims: 2 }, 'last_hidden_state'],
    ['sparse, special tokens kept', { ...spladeTiny, files }, 'logits'],
    ['sparse, special tokens masked', { ...spladeTiny, files, specialTokens: 'masked' as const }, 'logits'],
    ['late interaction', { ...late, files }, 'token_embeddings'],
  ])('%s: is an error that names the model and the text', async (_, card, output) => {
    const model = await open(card, output);
    expect((await model.encode(['good', '', 'good good'], 'query')).kind).toBe(card.family);
    await expect(model.encode(['good', 'good good', 'good bad good', 'good'], 'document')).rejects.toMatchObject({
      code: 'not-finite',
      message: expect.stringMatching(`${card.id} gave .* not finite: NaN for document 3 of 4 \\("good bad good"\\)`),
    });
    await expect(model.encode(['huge'], 'query')).rejects.toMatchObject({
      code: 'not-finite',
      message: expect.stringMatching(/(NaN|Infinity) for query 1 of 1 \("huge"\)/),
    });
    // The session is as good as before.
    expect((await model.encode(['good'], 'query')).kind).toBe(card.family);
    await model.close();
  });

  test('a long text is named by its beginning', async () => {
    const model = await open({ ...denseTiny, files, dims: 2 }, 'last_hidden_state');
    const text = `bad ${'good '.repeat(40)}`;
    await expect(model.encode([text], 'query')).rejects.toThrow(`("${text.slice(0, 60)}…")`);
    await model.close();
  });
});
