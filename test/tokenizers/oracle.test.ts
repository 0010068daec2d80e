import { join } from 'node:path';
import { Tokenizer as RustTokenizer, type TruncationStrategy } from '@anush008/tokenizers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bertNormalizer } from '../../runners/tokenizers/bert-normalizer.js';
import { tokenizerOf } from '../../runners/tokenizers/index.js';
import { bertWords } from '../../runners/tokenizers/pre-tokenizers.js';
import { embedded, hasShared, needsShared, sharedModels, tokenizerIn } from './models.js';

/** The Rust library, with older Unicode tables than Node's, on the same file, its own padding and truncation switched off. */
function rust(folder: string): RustTokenizer {
  const tokenizer = RustTokenizer.fromFile(join(folder, 'tokenizer.json'));
  tokenizer.disablePadding();
  tokenizer.disableTruncation();
  return tokenizer;
}

const longestFirst = 'LongestFirst' as TruncationStrategy.LongestFirst;

/** Code points whose properties came after the Rust library's tables: normalized, or taken as punctuation, otherwise. */
function newerThanOracle(oracle: RustTokenizer): ReadonlySet<string> {
  const normalizer = oracle.getNormalizer();
  const preTokenizer = oracle.getPreTokenizer();
  const ours = bertNormalizer({});
  const differing = new Set<string>();
  for (let code = 0; code < 0x110000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    if (normalizer?.normalizeString(character) !== ours(character)) differing.add(character);
    // Signs change sides too: U+166D was punctuation until Unicode 12, and is a symbol since.
    if (!/[\p{P}\p{S}]/u.test(character)) continue;
    const text = `a${character}`;
    if (preTokenizer?.preTokenizeString(text).length !== bertWords(text).length) differing.add(character);
  }
  return differing;
}

const special = ['[SEP]', '[MASK]', '[CLS]', ' ', '\n', '\u0085', '\u200b', '\u00ad', 'Σ', 'ΑΣ', 'İ', 'é', 'e\u0301'];
const word = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 3, arbitrary: fc.stringMatching(/^[a-zA-Z]{1,9}$/) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  { weight: 2, arbitrary: fc.constantFrom(...special, '漢字', '𠀀', '中', 'カﾞ', '한국어', '🏳️‍🌈', '-----', '…') },
);
const anyText = fc
  .array(word, { maxLength: 30 })
  .chain((words) => fc.constantFrom('', ' ', '\t').map((between) => words.join(between)));

describe('WordPiece', () => {
  const folder = join(embedded, 'ce-tiny');
  const oracle = rust(folder);
  const tokenizer = tokenizerIn(folder);
  const newer = newerThanOracle(oracle);

  test('normalization differs only where Unicode grew after the Rust library, in marks and rare scripts', () => {
    expect(newer.size).toBeLessThan(700);
    const settled =
      /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hangul}\p{Nd}\p{Emoji}]/u;
    const usualSigns = /[\p{ASCII}\u0080-\u03ff\u2000-\u206f\u3000-\u303f\uff00-\uffef]/u;
    const seen = [...newer].filter((character) => settled.test(character) || usualSigns.test(character));
    // Ideographs and digits beyond U+FFFF were still being added; neither is in the vocabulary.
    expect(seen.filter((character) => character < '\u{10000}')).toEqual([]);
  });

  test('random texts and pairs have the ids and types of the Rust library, cut at any length', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, fc.integer({ min: 3, max: 40 }), async (a, b, maxLength) => {
        fc.pre([...a, ...b].every((character) => !newer.has(character)));
        oracle.setTruncation(maxLength, { strategy: longestFirst });
        const single = await oracle.encode(a);
        expect(tokenizer.encode(a, maxLength).ids).toEqual(single.getIds());
        const pair = await oracle.encode(a, b);
        const row = tokenizer.encodePair(a, b, maxLength);
        expect(row.ids).toEqual(pair.getIds());
        expect(row.typeIds).toEqual(pair.getTypeIds());
        oracle.disableTruncation();
        const whole = await oracle.encode(a, b);
        expect(row.truncated).toBe(whole.getLength() > maxLength);
      }),
      { numRuns: 150 },
    );
  });
});

describe.skipIf(!hasShared)(`BPE and Unigram${needsShared}`, () => {
  test.each(['random-llama-tiny', 'random-t5-tiny'])(
    '%s: random texts have the ids of the Rust library',
    async (name) => {
      const folder = join(sharedModels, name);
      const oracle = rust(folder);
      const tokenizer = tokenizerIn(folder);
      await fc.assert(
        fc.asyncProperty(anyText, async (text) => {
          const encoding = await oracle.encode(text.replace(/\p{Cs}/gu, '\ufffd'));
          expect(tokenizer.encode(text, 100_000).ids).toEqual(encoding.getIds());
        }),
        { numRuns: 150 },
      );
    },
  );
});

describe('pre-tokenizers, on a vocabulary of characters', () => {
  /** Every split shows: a word of several characters is unknown unless it is listed. */
  const withPreTokenizer = (preTokenizer: object) => ({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: preTokenizer,
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '?',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(
        ['?', ...'abcé1½Ⅷ!-_\u0085\u200d'].flatMap((c) => [c, `##${c}`]).map((token, id) => [token, id]),
      ),
    },
  });
  const characters = fc.string({ unit: fc.constantFrom(...'abcé1½Ⅷ!-_ \t\u0085\u00a0\u200d'), maxLength: 16 });

  test.each([
    [{ type: 'Whitespace' }],
    [{ type: 'WhitespaceSplit' }],
    [{ type: 'BertPreTokenizer' }],
    [{ type: 'Digits', individual_digits: true }],
    [{ type: 'Digits', individual_digits: false }],
    [{ type: 'Punctuation', behavior: 'Isolated' }],
    [{ type: 'Punctuation', behavior: 'Contiguous' }],
  ])('%o cuts as the Rust library', async (preTokenizer) => {
    const file = withPreTokenizer(preTokenizer);
    const oracle = RustTokenizer.fromString(JSON.stringify(file));
    const tokenizer = tokenizerOf(file, {});
    await fc.assert(
      fc.asyncProperty(characters, async (text) => {
        expect(tokenizer.plain(text).ids).toEqual((await oracle.encode(text)).getIds());
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    [{ type: 'BertProcessing', cls: ['a', 2], sep: ['b', 4] }],
    [{ type: 'RobertaProcessing', cls: ['a', 2], sep: ['b', 4], trim_offsets: true, add_prefix_space: false }],
    [{ type: 'ByteLevel', add_prefix_space: true, trim_offsets: false, use_regex: true }],
    [null],
  ])('the post-processor %o makes the rows of the Rust library', async (postProcessor) => {
    const file = { ...withPreTokenizer({ type: 'WhitespaceSplit' }), post_processor: postProcessor };
    const oracle = RustTokenizer.fromString(JSON.stringify(file));
    const tokenizer = tokenizerOf(file, {});
    for (const [a, b] of [
      ['a', 'b c'],
      ['', ''],
      ['a b', ''],
      ['', 'c'],
    ]) {
      const pair = await oracle.encode(a, b);
      const row = tokenizer.encodePair(a, b, 100);
      expect([row.ids, row.typeIds]).toEqual([pair.getIds(), pair.getTypeIds()]);
      expect(tokenizer.encode(a, 100).ids).toEqual((await oracle.encode(a)).getIds());
    }
  });
});
