import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scanGraph } from '../../runners/backends/onnx/graph-file.js';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import { openSession } from '../../runners/backends/onnx/session.js';
import type { DenseCard, ModelFiles } from '../../runners/models/card.js';
import { bge, builtIn, cpu, denseTiny, hasShared, shared, spladeTiny } from './cards.js';
import { floats, graphBytes, lookup } from './mini-graph.js';
import { asEncoder, needsShared, rowsOf } from './references.js';
import { request } from './run-graph.js';
import { safetensors } from './safetensors-file.js';
import { folderOf, wordTokenizer } from './tiny-folder.js';

const words = ['one', 'two'];
/** A row per id of the tokenizer: [PAD], [UNK], [CLS], [SEP], [MASK], one, two. */
const table = [
  [0, 0],
  [9, 9],
  [1, 0],
  [0, 1],
  [0, 0],
  [2, 3],
  [-4, 1],
];

const card: DenseCard = {
  ...denseTiny,
  id: 'mini',
  files: { fp32: 'model.onnx' },
  dims: 2,
  normalize: false,
  maxLength: 8,
};
const files = (folder: string, change: Partial<DenseCard> = {}): ModelFiles<DenseCard> => ({
  card: { ...card, ...change },
  dtype: 'fp32',
  folder,
});

async function vectorOf(folder: string, text: string, change: Partial<DenseCard> = {}): Promise<number[]> {
  const model = asEncoder(await openOnnx(files(folder, change), cpu));
  try {
    return [...rowsOf(await model.encode([text], 'document'))[0]];
  } finally {
    await model.close();
  }
}

describe('external data', () => {
  const external = lookup(table, 'last_hidden_state');
  const data = floats(table.flat());
  const graph = graphBytes({
    ...external,
    tensors: [{ name: 'table', type: 'float', dims: [7, 2], data, file: 'model.onnx_data' }],
  });

  test('beside the graph is found, and its bytes count', async () => {
    const folder = folderOf({ 'model.onnx': graph, 'model.onnx_data': data, ...wordTokenizer(words) });
    expect(await vectorOf(folder, 'one two')).toEqual([-0.25, 1.25]);
    expect(await scanGraph(join(folder, 'model.onnx'))).toEqual({
      bytes: graph.length + data.length,
      externalFiles: ['model.onnx_data'],
      dynamicQuantization: false,
    });
  });

  test('that is missing or outside of the folder is an error', async () => {
    const folder = folderOf({ 'model.onnx': graph, ...wordTokenizer(words) });
    await expect(vectorOf(folder, 'one')).rejects.toThrow(/cannot open this graph.*external data must lie beside it/s);
    const escaping = graphBytes({
      ...external,
      tensors: [{ name: 'table', type: 'float', dims: [7, 2], data, file: '../data' }],
    });
    writeFileSync(join(folder, 'model.onnx'), escaping);
    await expect(vectorOf(folder, 'one')).rejects.toThrow(/cannot open this graph/);
    expect(await scanGraph(join(folder, 'model.onnx'))).toMatchObject({ bytes: escaping.length, externalFiles: [] });
  });
});

describe('scanning a graph', () => {
  test('finds dynamic quantization wherever it stands, over the ends of pieces', async () => {
    const piece = 16 * 1024 * 1024;
    const bytes = Buffer.alloc(piece + 100);
    const folder = folderOf({});
    const path = join(folder, 'large.onnx');
    for (const at of [0, piece - 5, piece + 60]) {
      bytes.fill(0).write('DynamicQuantizeLinear', at);
      writeFileSync(path, bytes);
      expect(await scanGraph(path)).toMatchObject({ bytes: bytes.length, dynamicQuantization: true });
    }
    writeFileSync(path, bytes.fill(0));
    expect((await scanGraph(path)).dynamicQuantization).toBe(false);
  });

  test.skipIf(!hasShared)(`tells the graphs of the models apart${needsShared}`, async () => {
    const dynamic = async (of: ModelFiles, file: string) =>
      (await scanGraph(join(of.folder, file))).dynamicQuantization;
    expect(await dynamic(shared(bge), 'onnx/model_int8.onnx')).toBe(true);
    expect(await dynamic(shared(spladeTiny), 'onnx/model_int8.onnx')).toBe(true);
    expect(await dynamic(shared(spladeTiny), 'onnx/model_w8.onnx')).toBe(false);
    expect(await dynamic(shared(spladeTiny), 'onnx/model_fp16.onnx')).toBe(false);
  });
});

describe('opening', () => {
  const open = (path: string, device = 'cpu') => openSession(request(path, { device }));

  test('says what is wrong with a file', async () => {
    const folder = folderOf({
      'page.onnx': '<html>Not found</html>',
      'cut.onnx': graphBytes(lookup(table, 'x')).subarray(0, 60),
    });
    await expect(open(join(folder, 'none.onnx'))).rejects.toThrow(/no such graph: .*none\.onnx/);
    await expect(open(join(folder, 'page.onnx'))).rejects.toThrow(/cannot be read: .*page\.onnx.*get it again/);
    await expect(open(join(folder, 'cut.onnx'))).rejects.toThrow(/cannot be read: .*cut\.onnx/);
  });

  test('an operator that the runtime lacks is named', async () => {
    const unknown = lookup(table, 'a', { nodes: [{ op: 'Frobnicate', inputs: ['a'], outputs: ['b'] }] });
    const folder = folderOf({ 'model.onnx': graphBytes(unknown) });
    await expect(open(join(folder, 'model.onnx'))).rejects.toThrow(/cannot open this graph \(.*Frobnicate/);
  });

  test.each(['cuda', 'tensorrt', 'quantum'])(
    'a device that is not there is refused, with those that are: %s',
    async (device) => {
      const folder = folderOf({ 'model.onnx': graphBytes(lookup(table, 'last_hidden_state')) });
      await expect(open(join(folder, 'model.onnx'), device)).rejects.toThrow(
        new RegExp(`device cannot be used \\(.*: ${device}\\. ONNX Runtime here knows cpu, .*--device cpu`, 's'),
      );
    },
  );

  test('a model whose tokenizer, graph or format is missing', async () => {
    const graph = graphBytes(lookup(table, 'last_hidden_state'));
    await expect(vectorOf(folderOf({ 'model.onnx': graph }), 'one')).rejects.toThrow(/no such file: .*tokenizer\.json/);
    await expect(vectorOf(folderOf(wordTokenizer(words)), 'one')).rejects.toThrow(/no such file: .*model\.onnx/);
    await expect(openOnnx({ ...builtIn(denseTiny), dtype: 'q4' }, cpu)).rejects.toThrow(
      /no graph in that number format: q4\. It has fp32/,
    );
    const broken = folderOf({ 'model.onnx': graph, 'tokenizer.json': '{' });
    await expect(vectorOf(broken, 'one')).rejects.toThrow(/cannot be read .*tokenizer\.json/);
  });

  test('a card that disagrees with the graph about the length of vectors', async () => {
    const folder = folderOf({ 'model.onnx': graphBytes(lookup(table, 'last_hidden_state')), ...wordTokenizer(words) });
    await expect(vectorOf(folder, 'one', { dims: 3 })).rejects.toThrow(/another length than its card says: 2, not 3/);
  });
});

describe('a linear layer of the folder', () => {
  const modules = JSON.stringify([
    { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
    { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
    { idx: 2, name: '2', path: '2_Dense', type: 'sentence_transformers.models.Dense' },
  ]);
  const config = (more: object) =>
    JSON.stringify({
      in_features: 2,
      out_features: 3,
      bias: true,
      activation_function: 'torch.nn.modules.linear.Identity',
      ...more,
    });
  const weights = (bias: boolean) =>
    safetensors({
      'linear.weight': { dtype: 'F32', shape: [3, 2], data: floats([1, 0, 0, 1, 1, 1]) },
      ...(bias && { 'linear.bias': { dtype: 'F32', shape: [3], data: floats([0, 0, 10]) } }),
    });
  const base = {
    'model.onnx': graphBytes(lookup(table, 'last_hidden_state')),
    'modules.json': modules,
    ...wordTokenizer(words),
  };
  const withLayer = (more: object = {}, bias = true) =>
    folderOf({ ...base, '2_Dense/config.json': config(more), '2_Dense/model.safetensors': weights(bias) });

  test('is applied behind the pooling, with its bias and activation', async () => {
    // [CLS] one [SEP]: the mean of (1, 0), (2, 3), (0, 1) is (1, 4/3).
    const third = Math.fround(4 / 3);
    expect(await vectorOf(withLayer(), 'one', { dims: 3 })).toEqual([1, third, Math.fround(37 / 3)]);
    expect(await vectorOf(withLayer({ bias: false }, false), 'one', { dims: 3 })).toEqual([
      1,
      third,
      Math.fround(7 / 3),
    ]);
    const tanh = withLayer({ activation_function: 'torch.nn.modules.activation.Tanh' });
    expect(await vectorOf(tanh, 'one', { dims: 3 })).toEqual([1, 4 / 3, 37 / 3].map((x) => Math.fround(Math.tanh(x))));
  });

  test('with a slash behind its path is the same layer, and one with a residual connection is refused', async () => {
    const slash = folderOf({
      ...base,
      'modules.json': modules.replace('"path":"2_Dense"', '"path":"2_Dense/"'),
      '2_Dense/config.json': config({}),
      '2_Dense/model.safetensors': weights(true),
    });
    expect(await vectorOf(slash, 'one', { dims: 3 })).toEqual(await vectorOf(withLayer(), 'one', { dims: 3 }));
    await expect(vectorOf(withLayer({ use_residual: true }), 'one', { dims: 3 })).rejects.toThrow(/residual/);
    expect(await vectorOf(withLayer({ use_residual: false }), 'one', { dims: 3 })).toHaveLength(3);
  });

  test('without its weights, it is taken to be inside the graph', async () => {
    expect(await vectorOf(folderOf({ ...base, '2_Dense/config.json': config({}) }), 'one')).toHaveLength(2);
  });

  test('for vectors of another length is inside the graph too', async () => {
    const weight = safetensors({ 'linear.weight': { dtype: 'F32', shape: [1, 4], data: floats([1, 1, 1, 1]) } });
    const narrow = config({ in_features: 4, out_features: 1, bias: false });
    const folder = folderOf({ ...base, '2_Dense/config.json': narrow, '2_Dense/model.safetensors': weight });
    expect(await vectorOf(folder, 'one')).toEqual([1, Math.fround(4 / 3)]);
  });

  test('of another package is not applied, whatever its name', async () => {
    const own = modules.replace('sentence_transformers.models.Dense', 'my.custom.Dense');
    const folder = folderOf({
      ...base,
      'modules.json': own,
      '2_Dense/config.json': config({}),
      '2_Dense/model.safetensors': weights(true),
    });
    expect(await vectorOf(folder, 'one')).toEqual([1, Math.fround(4 / 3)]);
  });

  test('whose weights have another shape than its config says is refused', async () => {
    await expect(vectorOf(withLayer({ in_features: 4 }), 'one')).rejects.toThrow(
      /linear\.weight of shape 3 × 4 is missing/,
    );
  });

  test('with an activation that we do not know is refused', async () => {
    const gelu = withLayer({ activation_function: 'torch.nn.modules.activation.GELU' });
    await expect(vectorOf(gelu, 'one', { dims: 3 })).rejects.toThrow(/GELU is not supported/);
  });
});
