import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readModelFolder } from '../../runners/backends/model-folder/index.js';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import { cpu, embedded, readJson } from './cards.js';
import { asEncoder, asScorer, rowsOf } from './references.js';
import { folderOf } from './tiny-folder.js';

/** A copy of a model that comes with the product: the named files as they are, and some with other fields. */
async function opened(model: string, names: readonly string[], changes: Readonly<Record<string, object>>) {
  const kept = [...names, 'tokenizer.json', 'onnx/model_w8.onnx'].map((name) => [
    name,
    readFileSync(join(embedded, model, name)),
  ]);
  const changed = Object.entries(changes).map(([name, value]) => [
    name,
    JSON.stringify({ ...readJson(embedded, model, name), ...value }),
  ]);
  const folder = folderOf({ ...Object.fromEntries(kept), ...Object.fromEntries(changed) });
  const card = await readModelFolder(folder, { id: model, origin: { kind: 'folder', path: folder } });
  return openOnnx({ card, dtype: 'w8', folder }, cpu);
}

describe('a limit of the tokenizer beyond the positions of the graph', () => {
  const endless = { 'tokenizer_config.json': { model_max_length: 2048 } };

  test('cuts texts to the positions', async () => {
    const names = ['config.json', 'modules.json', '1_Pooling/config.json'];
    const model = asEncoder(await opened('dense-tiny', names, endless));
    try {
      const text = 'word '.repeat(3000);
      expect(model.tokenIds(text, 'document')).toHaveLength(512);
      const encoded = await model.encode([text], 'document');
      expect(rowsOf(encoded)[0].every(Number.isFinite)).toBe(true);
      expect(encoded.tokens?.truncated[0]).toBe(1);
    } finally {
      await model.close();
    }
  });

  test('cuts pairs to the positions', async () => {
    const model = asScorer(await opened('ce-tiny', ['config.json'], endless));
    try {
      const pair = { query: 'word '.repeat(900), document: 'word '.repeat(900) };
      expect(model.tokenIds(pair)).toHaveLength(512);
      expect((await model.score([pair])).margins.every(Number.isFinite)).toBe(true);
    } finally {
      await model.close();
    }
  });
});

describe('a cross-encoder of one logit whose config.json', () => {
  const two = { 0: 'no', 1: 'yes' };
  const three = { ...two, 2: 'maybe' };
  const opening = (change: object) => opened('ce-tiny', ['tokenizer_config.json'], { 'config.json': change });

  test.each([
    ['lists two labels', { num_labels: null, id2label: two }, /number of logits than its card has labels: 1, not 2/],
    ['counts two labels', { num_labels: 2, id2label: two }, /number of logits than its card has labels: 1, not 2/],
    ['says nothing of labels', { num_labels: null, id2label: null }, /number of logits .*: 1, not 2/],
    ['lists two and counts one', { id2label: two }, /num_labels is 1, and id2label lists 2/],
    ['lists three and counts one', { id2label: three }, /num_labels is 1, and id2label lists 3/],
    ['lists three labels', { num_labels: null, id2label: three }, /a classifier of 3 labels does not score a pair/],
  ])('%s is refused', async (_, change, message) => {
    await expect(opening(change)).rejects.toThrow(message);
  });

  test('lists one is scored', async () => {
    const model = asScorer(await opening({ num_labels: null }));
    const { margins } = await model.score([{ query: 'a', document: 'b' }]);
    await model.close();
    expect(margins).toHaveLength(1);
  });
});
