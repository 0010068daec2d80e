import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIdentity } from '../../runners/backends/resolve/files-identity.js';
import type { ModelCard } from '../../runners/models/card.js';
import { floats, graphBytes, lookup } from '../onnx/mini-graph.js';
import { cardFrom, denseFiles, madeFolder } from './folder/made-folder.js';

const table = [
  [1, 2],
  [3, 4],
];
const graph = lookup(table, 'last_hidden_state');
const named = graphBytes({
  ...graph,
  tensors: [{ name: 'table', type: 'float', dims: [2, 2], data: floats(table.flat()), file: 'weights.bin' }],
});

test('weights beside a graph are part of a model, whatever its file calls them', async () => {
  const path = await madeFolder({ ...denseFiles, 'tokenizer.json': {} });
  writeFileSync(join(path, 'onnx/model.onnx'), named);
  const card = { ...(await cardFrom(denseFiles)), origin: { kind: 'folder', path } } as ModelCard;
  const identities = [];
  for (const data of [floats([1, 2, 3, 4]), floats([4, 3, 2, 1])]) {
    writeFileSync(join(path, 'onnx/weights.bin'), data);
    identities.push(JSON.stringify(await filesIdentity(card, 'fp32')));
  }
  expect(identities[0]).toContain('onnx/weights.bin');
  expect(identities[1]).not.toBe(identities[0]);
});
