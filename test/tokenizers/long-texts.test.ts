import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { embedded, hasShared, needsShared, sharedModels, tokenizerIn } from './models.js';

const megabyte = 1_000_000;

describe('texts of a megabyte come to an end', () => {
  const tokenizer = tokenizerIn(join(embedded, 'ce-tiny'));
  const unknown = tokenizer.idOf('[UNK]');

  test('of one word: a single unknown token', () => {
    const row = tokenizer.encode('a'.repeat(megabyte), 512);
    expect(row).toMatchObject({ ids: [101, unknown, 102], truncated: false });
  });

  test('of one symbol: the first ones', () => {
    const { ids, truncated } = tokenizer.encode('-'.repeat(megabyte), 512);
    expect([ids.length, truncated]).toEqual([512, true]);
  });

  test('of words: the ids of the beginning, on both sides of a pair', () => {
    const text = 'The quick brown fox, jumps. '.repeat(40_000);
    const short = tokenizer.encode(text.slice(0, 5600), 512);
    expect(tokenizer.encode(text, 512)).toEqual(short);
    const pair = tokenizer.encodePair(text, `${text}x`, 512);
    expect(pair.ids).toHaveLength(512);
    expect(pair.truncated).toBe(true);
    // 509 places for the two: the odd one goes to the longer side, which only counting in full can tell.
    expect(pair.typeIds.filter((type) => type === 1)).toHaveLength(255 + 1);
    const turned = tokenizer.encodePair(`${text}x`, text, 512);
    expect(turned.typeIds.filter((type) => type === 1)).toHaveLength(254 + 1);
  });

  test('of blanks, of marks, and of special tokens', () => {
    expect(tokenizer.encode(' '.repeat(megabyte), 512)).toMatchObject({ ids: [101, 102], truncated: false });
    expect(tokenizer.encode(`a${'\u0301'.repeat(megabyte)}`, 512).ids).toEqual([101, tokenizer.idOf('a'), 102]);
    const { ids } = tokenizer.encode('[SEP]'.repeat(megabyte / 5), 512);
    expect(new Set(ids)).toEqual(new Set([101, 102]));
  });
});

describe.skipIf(!hasShared)(`other models${needsShared}`, () => {
  test.each(['random-llama-tiny', 'random-t5-tiny'])('%s: no stack runs over', (name) => {
    const tokenizer = tokenizerIn(join(sharedModels, name));
    for (const text of ['ab'.repeat(200_000), '-'.repeat(200_000), '\n'.repeat(200_000), '漢字'.repeat(100_000)]) {
      const { ids } = tokenizer.encode(text, 512);
      expect(ids.length).toBeLessThanOrEqual(512);
      expect(ids.length).toBeGreaterThan(0);
    }
  });

  test('a long text of many words is cut where a vocabulary allows it, with the same ids', () => {
    for (const name of ['random-llama-tiny', 'random-t5-tiny']) {
      const tokenizer = tokenizerIn(join(sharedModels, name));
      const text = 'Ferritin stores iron; 12,5 µg are\n\nenough for a day. '.repeat(3000);
      const { ids } = tokenizer.plain(text);
      expect(tokenizer.plain(text, 700)).toEqual({ ids: ids.slice(0, 700), truncated: true });
    }
  });
});
