import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TenbinError } from '../../core/errors.js';
import { charsmapOf, graphemes } from '../../runners/tokenizers/charsmap.js';
import { tokenizerOf, tokenizerVersion } from '../../runners/tokenizers/index.js';
import { unigramEncoder } from '../../runners/tokenizers/unigram.js';
import { embedded, readJson, tokenizerIn } from './models.js';

const folder = join(embedded, 'colbert-tiny');
const tokenizer = tokenizerIn(folder);

describe('a tokenizer', () => {
  test('finds ids by text, in the vocabulary and among added tokens', () => {
    expect([tokenizer.idOf('[unused0]'), tokenizer.idOf('[unused1]'), tokenizer.idOf('[MASK]')]).toEqual([1, 2, 103]);
    expect(tokenizer.idOf('no such token')).toBeNull();
    expect(tokenizer.idOf('constructor')).not.toBe(Object.prototype.constructor);
    expect(tokenizer.idOf('__proto__')).toBeNull();
  });

  test('knows its special tokens', () => {
    expect(tokenizer.special).toEqual({ cls: 101, sep: 102, mask: 103, pad: 0, bos: null, eos: null });
    expect([...tokenizer.specialIds].sort((a, b) => a - b)).toEqual([0, 100, 101, 102, 103]);
    expect(tokenizer.around).toEqual({ before: [101], after: [102] });
  });

  test('reads special tokens that are written as objects', () => {
    const config = { ...readJson(folder, 'tokenizer_config.json'), mask_token: { content: '[MASK]', lstrip: true } };
    expect(tokenizerOf(readJson(folder, 'tokenizer.json'), config).special.mask).toBe(103);
  });

  test('reads special tokens from special_tokens_map.json where tokenizer_config.json has none', () => {
    const json = readJson(folder, 'tokenizer.json');
    const map = { mask_token: { content: '[MASK]', lstrip: false }, pad_token: '[PAD]', additional_special_tokens: [] };
    expect(tokenizerOf(json, {}, map).special).toMatchObject({ mask: 103, pad: 0, cls: null });
    expect(tokenizerOf(json, { mask_token: null }, map).special.mask).toBe(103);
    expect(tokenizerOf(json, { mask_token: '[SEP]' }, map).special).toMatchObject({ mask: 102, pad: 0 });
    expect(tokenizerOf(json, {}, { mask_token: 'no such token' }).special.mask).toBeNull();
    expect(tokenizerOf(json, {}, {}).special.mask).toBeNull();
    expect(() => tokenizerOf(json, {}, { mask_token: 7 })).toThrow(/special_tokens_map\.json is not what/);
    expect(() => tokenizerOf(json, {}, [])).toThrow(/special_tokens_map\.json is not what/);
  });

  test('keeps room for special tokens, and refuses a length below their number', () => {
    expect(tokenizer.encode('one two three', 4)).toEqual({
      ids: [101, 2028, 2048, 102],
      typeIds: [0, 0, 0, 0],
      truncated: true,
    });
    expect(tokenizer.encode('one two three', 2)).toMatchObject({ ids: [101, 102], truncated: true });
    expect(tokenizer.encode('', 2)).toMatchObject({ ids: [101, 102], truncated: false });
    expect(() => tokenizer.encode('one', 1)).toThrow(/below the number of special tokens: 1\. Give at least 2/);
    expect(() => tokenizer.encodePair('one', 'two', 2)).toThrow(/Give at least 3/);
  });

  test('half of a surrogate pair is U+FFFD, which BERT drops', () => {
    expect(tokenizer.encode('a\ud83d b', 9).ids).toEqual(tokenizer.encode('a b', 9).ids);
  });

  test('its version names the library, our rules and Unicode', () => {
    expect(tokenizerVersion).toMatch(/^@huggingface\/tokenizers \d+\.\d+\.\d+, rules \d+, unicode \d+/);
  });

  test.each([
    [{}, /tokenizer\.json is not what a tokenizer is described by.*model/],
    [[], /tokenizer\.json is not what/],
    [{ model: { type: 'Quantum' }, added_tokens: [] }, /does not know: Unknown TokenizerModel type: Quantum/],
    [{ ...readJson(folder, 'tokenizer.json'), post_processor: { type: 'New' } }, /post_processor/],
  ])('names what is wrong with a file: case %#', (json, message) => {
    expect(() => tokenizerOf(json, {})).toThrow(TenbinError);
    expect(() => tokenizerOf(json, {})).toThrow(message);
  });
});

describe('the character map', () => {
  test.each([
    ['', '0 bytes'],
    ['AAAA', '3 bytes'],
    [Buffer.from([255, 255, 0, 0, 1, 2, 3, 4]).toString('base64'), '8 bytes'],
    [Buffer.from([3, 0, 0, 0, 1, 2, 3, 4]).toString('base64'), '8 bytes'],
  ])('%s is refused: it is cut off', (base64, size) => {
    expect(() => charsmapOf(base64)).toThrow(`cut off: ${size}`);
  });
});

describe('graphemes', () => {
  test('are those of the whole text, whatever windows it is given in', () => {
    const unit = fc.constantFrom('a', '\u0301', '😀', '🏳️‍🌈', '🇯', '\r\n', '각', '\u1100', 'क्ष', '\u200d', '漢');
    const whole = new Intl.Segmenter('und', { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.string({ unit, minLength: 200, maxLength: 700 }), (text) => {
        expect([...graphemes(text)]).toEqual(Array.from(whole.segment(text), ({ segment }) => segment));
      }),
      { numRuns: 50 },
    );
    const long = `a${'\u0301'.repeat(3000)}`;
    expect([...graphemes(`${long}b`)]).toEqual([long, 'b']);
    const many = ['漢', long, ...'漢字', long, long, 'b'];
    expect([...graphemes(many.join(''))]).toEqual(many);
    expect([...graphemes(long)]).toEqual([long]);
  });
});

describe('Unigram', () => {
  const pieces = ['<unk>', 'a', 'aa', 'b', '<0xC3>', '<0xA9>'];
  const encoder = (scores: readonly number[], byteFallback = false) =>
    unigramEncoder({
      vocabulary: new Map(pieces.map((piece, id) => [piece, id])),
      scores,
      unknownScore: -20,
      byteFallback,
      prefixes: (characters, start) =>
        [1, 2]
          .map((length) => characters.slice(start, start + length).join(''))
          .filter((piece) => pieces.includes(piece)),
    });

  test('takes the most probable cut, and of equal ones the one found first', () => {
    expect(encoder([0, -1, -3, -1, 0, 0])(['aaa'])).toEqual(['a', 'a', 'a']);
    expect(encoder([0, -2, -1, -1, 0, 0])(['aaa'])).toEqual(['a', 'aa']);
  });

  test('joins neighbouring unknown characters, or spells them in bytes', () => {
    expect(encoder([0, -1, -1, -1, 0, 0])(['axyb'])).toEqual(['a', 'xy', 'b']);
    expect(encoder([0, -1, -1, -1, 0, 0], true)(['aé'])).toEqual(['a', '<0xC3>', '<0xA9>']);
    expect(encoder([0, -1, -1, -1, 0, 0], true)(['éx'])).toEqual(['éx']);
  });
});
