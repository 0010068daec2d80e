import { describe, expect, test } from 'vitest';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import type { LateInteractionCard, ModelFiles } from '../../runners/models/card.js';
import { colbertTiny, cpu } from './cards.js';
import { graphBytes, lookup } from './mini-graph.js';
import { asEncoder } from './references.js';
import { folderOf, wordTokenizer } from './tiny-folder.js';

const words = ['one', 'two'];
/** A row per id of the tokenizer: [PAD], [UNK], [CLS], [SEP], [MASK], one, two. */
const table = Array.from({ length: 7 }, (_, id) => [1, id]);
const mask = 4;
const { 'tokenizer.json': tokenizer } = wordTokenizer(words);

function files(configs: Readonly<Record<string, object>>, change: Partial<LateInteractionCard> = {}) {
  const texts = Object.entries(configs).map(([name, value]) => [name, JSON.stringify(value)]);
  const folder = folderOf({
    'model.onnx': graphBytes(lookup(table, 'token_embeddings')),
    'tokenizer.json': tokenizer,
    ...Object.fromEntries(texts),
  });
  const card = {
    ...colbertTiny,
    id: 'mini',
    files: { fp32: 'model.onnx' },
    dims: 2,
    queryMarker: null,
    documentMarker: null,
    queryLength: 6,
    documentLength: 8,
    skiplist: [],
    ...change,
  } as const;
  return { card, dtype: 'fp32', folder } satisfies ModelFiles<LateInteractionCard>;
}

async function queryIds(of: ModelFiles<LateInteractionCard>): Promise<readonly number[]> {
  const model = asEncoder(await openOnnx(of, cpu));
  try {
    const encoded = await model.encode(['one'], 'query');
    const ids = model.tokenIds('one', 'query') ?? [];
    if (encoded.kind === 'late-interaction') expect(encoded.offsets.at(-1)).toBe(ids.length);
    return ids;
  } finally {
    await model.close();
  }
}

const config = 'tokenizer_config.json';
const map = 'special_tokens_map.json';
const filled = [2, 5, 3, mask, mask, mask];

describe('queries are filled up with the mask token', () => {
  test.each([
    ['tokenizer_config.json', { [config]: { mask_token: '[MASK]' } }],
    ['special_tokens_map.json alone', { [map]: { mask_token: '[MASK]' } }],
    ['special_tokens_map.json, as an object', { [map]: { mask_token: { content: '[MASK]', lstrip: true } } }],
    [
      'special_tokens_map.json beside a silent config',
      { [config]: { do_lower_case: true }, [map]: { mask_token: '[MASK]' } },
    ],
    [
      'special_tokens_map.json beside a config that says null',
      { [config]: { mask_token: null }, [map]: { mask_token: '[MASK]' } },
    ],
  ])('that is named in %s', async (_, configs) => {
    for (const expansion of ['attended', 'unattended'] as const) {
      expect(await queryIds(files(configs, { expansion }))).toEqual(filled);
    }
  });

  test('that tokenizer_config.json names first', async () => {
    const both = { [config]: { mask_token: '[UNK]' }, [map]: { mask_token: '[MASK]' } };
    expect(await queryIds(files(both))).toEqual([2, 5, 3, 1, 1, 1]);
  });
});

describe('a tokenizer without a mask token', () => {
  const silent = [
    ['no file names one', {}],
    ['both files are silent', { [config]: { pad_token: '[PAD]' }, [map]: {} }],
    ['the one that is named is not in the vocabulary', { [config]: { mask_token: '<mask>' } }],
  ] as const;

  test.each(silent)('is refused when a model with expansion is opened: %s', async (_, configs) => {
    for (const expansion of ['attended', 'unattended'] as const) {
      const opening = openOnnx(files(configs, { expansion }), cpu);
      await expect(opening).rejects.toMatchObject({ code: 'refused' });
      await expect(opening).rejects.toThrow(/filled up with mask tokens, and its tokenizer has none: mini/);
      await expect(opening).rejects.toThrow(/`mask_token` in tokenizer_config\.json or special_tokens_map\.json/);
    }
  });

  test.each(silent)('does where queries are not filled up: %s', async (_, configs) => {
    expect(await queryIds(files(configs, { expansion: null }))).toEqual([2, 5, 3]);
  });
});

test('the prompt of a role stands before its texts, and in front of nothing else', async () => {
  const configs = { [config]: { mask_token: '[MASK]' } };
  const prompted = files(configs, { prompts: { query: 'two ', document: 'two two ' } });
  expect(await queryIds(prompted)).toEqual([2, 6, 5, 3, mask, mask]);
  const model = asEncoder(await openOnnx(prompted, cpu));
  try {
    expect(model.tokenIds('one', 'document')).toEqual([2, 6, 6, 5, 3]);
  } finally {
    await model.close();
  }
});
