import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokenizerOf } from '../../runners/tokenizers/index.js';
import {
  embedded,
  golden,
  hasShared,
  needsShared,
  pairs,
  readJson,
  sharedModels,
  type TokenReference,
  textIds,
  textOf,
  tokenizerIn,
  unigramFixture,
} from './models.js';

/** Ids by the Rust library 0.23.3 with our maximum length; see the README of test/golden/models. */
function checkReference(folder: string, reference: ReturnType<typeof readJson>): number {
  const tokenizer = tokenizerIn(folder);
  const maxLength = reference.maxLength ?? 1_000_000;
  const texts = Object.entries<TokenReference>(reference.texts);
  for (const [id, { ids, typeIds, untruncatedLength = 0 }] of texts) {
    const row = tokenizer.encode(textOf(id), maxLength);
    expect({ id, ...row }).toEqual({ id, ids, typeIds, truncated: untruncatedLength > ids.length });
  }
  const both = Object.entries<TokenReference>(reference.pairs ?? {});
  for (const [id, { ids, typeIds }] of both) {
    const { query, document } = pairs.get(id) ?? { query: '', document: '' };
    const row = tokenizer.encodePair(query, document, maxLength);
    expect({ id, ids: row.ids, typeIds: row.typeIds }).toEqual({ id, ids, typeIds });
  }
  return texts.length + both.length;
}

describe('built-in models', () => {
  test.each(['dense-tiny', 'splade-tiny', 'colbert-tiny', 'ce-tiny'])(
    '%s: every reference text has its ids',
    (name) => {
      const count = checkReference(join(embedded, name), readJson(golden, name, 'tokens.json'));
      expect(count).toBe(name === 'ce-tiny' ? textIds.length + pairs.size : textIds.length);
    },
  );

  test('pairs are really cut in the references, on either side and on both', () => {
    const { maxLength, pairs: rows } = readJson(golden, 'ce-tiny', 'tokens.json');
    const full = Object.entries<TokenReference>(rows).filter(([, { ids }]) => ids.length === maxLength);
    expect(full.map(([id]) => id)).toEqual(
      expect.arrayContaining(['p-both-long', 'p-half-long-query', 'p-half-long-passage']),
    );
  });
});

describe.skipIf(!hasShared)(`models of ../shared${needsShared}`, () => {
  test.each(['all-minilm-l6-v2', 'bge-small-en-v1.5', 'splade-tiny', 'random-llama-tiny', 'random-t5-tiny'])(
    '%s: every reference text and pair has its ids',
    (name) => {
      const reference = readJson(sharedModels, name, 'reference/tokens.json');
      expect(checkReference(join(sharedModels, name), reference)).toBeGreaterThanOrEqual(textIds.length);
    },
  );

  test('what tokenizer.json says of padding and truncation does not win: 128 there, 256 here', () => {
    const folder = join(sharedModels, 'all-minilm-l6-v2');
    expect(readJson(folder, 'tokenizer.json')).toMatchObject({
      truncation: { max_length: 128 },
      padding: { strategy: { Fixed: 128 } },
    });
    const tokenizer = tokenizerIn(folder);
    expect(tokenizer.encode('word '.repeat(300), 256).ids).toHaveLength(256);
    expect(tokenizer.encode('word', 256).ids).toHaveLength(3);
  });

  test('a Unigram vocabulary with the real nmt_nfkc map: all 559 texts as the Rust library, no known difference', () => {
    // The fixture's README names texts in which the JavaScript library differs; its parts are replaced here.
    const tokenizer = tokenizerOf(readJson(unigramFixture, 'tokenizer.json'), {});
    const reference: { readonly text: string; readonly ids: readonly number[] }[] = readJson(
      unigramFixture,
      'reference.json',
    );
    expect(reference).toHaveLength(559);
    const differing = reference.filter(({ text, ids }) => tokenizer.encode(text, 1_000_000).ids.join() !== ids.join());
    expect(differing).toEqual([]);
  });
});
