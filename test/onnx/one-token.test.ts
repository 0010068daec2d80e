import { expect, test } from 'vitest';
import { mulberry32 } from '../../core/random.js';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import type { TextEncoder } from '../../runners/open-model.js';
import { cpu, denseTiny } from './cards.js';
import { floats, graphBytes, lookup, type MiniNode, type MiniTensor } from './mini-graph.js';
import { asEncoder, rowsOf } from './references.js';
import { firstWord, folderOf, wordTokenizer } from './tiny-folder.js';

/** Texts of one token alone: no special token is put around them. */
const words = Array.from({ length: 24 }, (_, i) => `word${i}`);

interface Behind {
  readonly table: readonly (readonly number[])[];
  readonly nodes: readonly MiniNode[];
  readonly tensors?: readonly MiniTensor[];
  readonly dims: number;
}

/** A dense model of a table of `states` and what comes behind it. */
async function modelOf({ table, nodes, tensors = [], dims }: Behind): Promise<TextEncoder> {
  const { outputs, ...graph } = lookup(table, 'states', { nodes, tensors });
  const output = { name: 'last_hidden_state', type: 'float', dims: ['batch', 'sequence', dims] } as const;
  const folder = folderOf({
    'model.onnx': graphBytes({ ...graph, outputs: [output] }),
    ...wordTokenizer(words, 'bare'),
  });
  const card = { ...denseTiny, files: { fp32: 'model.onnx' }, dims, normalize: false };
  return asEncoder(await openOnnx({ card, dtype: 'fp32', folder }, cpu));
}

test('a text of one token gives the same vector alone and among others, to the last bit', async () => {
  const [inner, dims] = [384, 96];
  const random = mulberry32(11);
  const numbers = (count: number) => Array.from({ length: count }, () => random() - 0.5);
  const model = await modelOf({
    dims,
    table: Array.from({ length: firstWord + words.length }, () => numbers(inner)),
    // The weight is computed, as keys are in attention. By a constant one, ONNX Runtime multiplies one row as it does many;
    // by a computed one it takes another routine on x64, and nearly every number of the product differs in its last bits.
    tensors: [{ name: 'constant', type: 'float', dims: [inner, dims], data: floats(numbers(inner * dims)) }],
    nodes: [
      { op: 'Cast', inputs: ['attention_mask'], outputs: ['mask'], ints: { to: 1 } },
      { op: 'ReduceMax', inputs: ['mask'], outputs: ['one'], ints: { keepdims: 0 } },
      { op: 'Mul', inputs: ['constant', 'one'], outputs: ['weight'] },
      { op: 'MatMul', inputs: ['states', 'weight'], outputs: ['last_hidden_state'] },
    ],
  });
  const together = rowsOf(await model.encode([...words, 'word1 word2 word3'], 'document'));
  const pair = rowsOf(await model.encode(words.slice(0, 2), 'document'));
  for (const [i, word] of words.entries()) {
    const [alone] = rowsOf(await model.encode([word], 'document'));
    expect(alone).toEqual(together[i]);
    if (i < pair.length) expect(alone).toEqual(pair[i]);
  }
  await model.close();
});

test('one row of one token is fed as two positions', async () => {
  const model = await modelOf({
    dims: 2,
    table: Array.from({ length: firstWord + words.length }, () => [0, 0]),
    nodes: [
      { op: 'Shape', inputs: ['input_ids'], outputs: ['sizes'] },
      { op: 'Cast', inputs: ['sizes'], outputs: ['numbers'], ints: { to: 1 } },
      { op: 'Add', inputs: ['states', 'numbers'], outputs: ['last_hidden_state'] },
    ],
  });
  const fed = async (...texts: readonly string[]) => [...rowsOf(await model.encode(texts, 'query'))[0]];
  expect(await fed('word1')).toEqual([1, 2]);
  expect(await fed('word1', 'word2', 'word3')).toEqual([3, 2]);
  expect(await fed('word1 word2')).toEqual([1, 2]);
  expect(await fed('word1 word2 word3')).toEqual([1, 3]);
  expect(await fed('')).toEqual([1, 2]);
  await model.close();
});
