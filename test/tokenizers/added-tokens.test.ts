import { Tokenizer as RustTokenizer } from '@anush008/tokenizers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AddedToken, sectionsOf } from '../../runners/tokenizers/added-tokens.js';
import { tokenizerOf } from '../../runners/tokenizers/index.js';

const token = (id: number, content: string, more: Partial<AddedToken> = {}): AddedToken => ({
  id,
  content,
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  ...more,
});

describe('sections', () => {
  const cut = sectionsOf([token(1, '<a>'), token(2, '<ab>'), token(3, '<'), token(4, '[x]-^\\'), token(5, '😀😀')]);

  test.each([
    ['', []],
    ['plain', [{ text: 'plain' }]],
    ['<ab><a>', [{ id: 2 }, { id: 1 }]],
    ['b<c<a>', [{ text: 'b' }, { id: 3 }, { text: 'c' }, { id: 1 }]],
    ['[x]-^\\[x', [{ id: 4 }, { text: '[x' }]],
    ['😀😀😀', [{ id: 5 }, { text: '😀' }]],
  ])('of %j: leftmost, then longest', (text, sections) => {
    expect(cut(text)).toEqual(sections);
  });

  test('without added tokens a text is one section', () => {
    expect(sectionsOf([])('a [SEP] b')).toEqual([{ text: 'a [SEP] b' }]);
    expect(sectionsOf([token(1, '')])('a')).toEqual([{ text: 'a' }]);
  });
});

describe('with every flag', () => {
  const letters = ['?', ...'abcdéx<>slrm_'];
  const pieces = letters.flatMap((letter) => [letter, `##${letter}`]);
  // Added tokens that the vocabulary lacks are numbered behind it.
  const added = [
    token(pieces.length, '<s>'),
    token(pieces.length + 1, '<l>', { lstrip: true }),
    token(pieces.length + 2, '<r>', { rstrip: true }),
    token(pieces.length + 3, 'ab', { single_word: true, special: false }),
    token(pieces.length + 4, 'CD', { normalized: true, special: false }),
    token(pieces.length + 5, '<m>', { lstrip: true, rstrip: true }),
  ];
  const file = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '?',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
    },
  };

  test('random texts have the ids of the Rust library', async () => {
    const oracle = RustTokenizer.fromString(JSON.stringify(file));
    const tokenizer = tokenizerOf(file, {});
    const unit = fc.constantFrom(
      '<s>',
      '<l>',
      '<r>',
      '<m>',
      'ab',
      'CD',
      'cd',
      'x',
      'é',
      '<',
      ' ',
      '  ',
      '\n',
      '_',
      'AB',
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 14 }), async (text) => {
        expect(tokenizer.plain(text).ids).toEqual((await oracle.encode(text)).getIds());
      }),
      { numRuns: 500 },
    );
  });

  test('a normalizer that lowers each letter by itself: no final sigma', () => {
    const greek = { ...file, model: { ...file.model, vocab: { '?': 0, ας: 1, ασ: 2 } } };
    expect(tokenizerOf(greek, {}).plain('ΑΣ').ids).toEqual([2]);
  });
});
