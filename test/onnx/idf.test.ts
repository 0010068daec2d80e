import { describe, expect, test } from 'vitest';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import type { ModelFiles, SparseCard } from '../../runners/models/card.js';
import { cpu, spladeTiny } from './cards.js';
import { graphBytes, lookup } from './mini-graph.js';
import { asEncoder, ofKind } from './references.js';
import { firstWord, folderOf, wordTokenizer } from './tiny-folder.js';

const words = ['one', 'two', 'three', '7'];
const size = firstWord + words.length;
const identity = Array.from({ length: size }, (_, row) =>
  Array.from({ length: size }, (_, column) => (row === column ? 1 : 0)),
);

function model(table: unknown): ModelFiles<SparseCard> {
  const folder = folderOf({
    'model.onnx': graphBytes(lookup(identity, 'logits')),
    'idf.json': JSON.stringify(table),
    ...wordTokenizer(words),
  });
  const card: SparseCard = {
    ...spladeTiny,
    id: 'mini',
    files: { fp32: 'model.onnx' },
    queries: { idf: 'idf.json' },
    maxLength: 6,
  };
  return { card, dtype: 'fp32', folder };
}

async function encode(table: unknown, text: string, role: 'query' | 'document') {
  const encoder = asEncoder(await openOnnx(model(table), cpu));
  try {
    return ofKind(await encoder.encode([text], role), 'sparse');
  } finally {
    await encoder.close();
  }
}

describe('inference-free queries', () => {
  const byToken = { one: 1.5, two: 0.25, three: 0, '7': 2, '[CLS]': 9, '[UNK]': 9 };

  test('have the weight of each token once, special and unknown ones left out', async () => {
    const query = await encode(byToken, 'two one two zzz 7', 'query');
    expect(query).toMatchObject({
      termCount: size,
      terms: Int32Array.of(firstWord, firstWord + 1),
      weights: Float32Array.of(1.5, 0.25),
      // Cut to six tokens with [CLS] and [SEP]: the 7 is gone. None of them goes through the graph.
      tokens: {
        counts: Int32Array.of(0),
        truncated: Uint8Array.of(1),
        widths: Int32Array.of(0),
        lookUps: Int32Array.of(2),
      },
    });
    expect((await encode(byToken, '7 three', 'query')).terms).toEqual(Int32Array.of(firstWord + 3));
    expect((await encode(byToken, '', 'query')).terms).toEqual(Int32Array.of());
  });

  test('by ids, or as an array, where all keys are numbers', async () => {
    const expected = { terms: Int32Array.of(firstWord), weights: Float32Array.of(0.5) };
    expect(await encode({ [firstWord]: 0.5 }, 'one', 'query')).toMatchObject(expected);
    expect(await encode([0, 0, 0, 0, 0, 0.5], 'one', 'query')).toMatchObject(expected);
  });

  test('documents go through the graph', async () => {
    const { terms, weights } = await encode(byToken, 'two', 'document');
    expect([...terms]).toEqual([2, 3, firstWord + 1]);
    expect(weights).toEqual(new Float32Array(3).fill(Math.log(2)));
  });

  test.each([
    [null, /table of query weights cannot be read/],
    [{ one: 'much' }, /table of query weights cannot be read/],
    [{ one: 1, unheard: 1 }, /lacks its token unheard/],
  ])('a table that does not fit is refused: %j', async (table, message) => {
    await expect(encode(table, 'one', 'query')).rejects.toThrow(message);
  });
});
