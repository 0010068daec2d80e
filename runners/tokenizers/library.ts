import {
  BertNormalizer,
  BertPreTokenizer,
  DigitsPreTokenizer,
  LowercaseNormalizer,
  type Normalizer,
  PrecompiledNormalizer,
  type PreTokenizer,
  PunctuationPreTokenizer,
  SequenceNormalizer,
  SequencePreTokenizer,
  Tokenizer,
  Unigram,
  WhitespacePreTokenizer,
  WhitespaceSplitPreTokenizer,
  WordPiece,
} from '@huggingface/tokenizers';
import { reasonOf, TenbinError } from '../../core/errors.js';
import { bertNormalizer, lowerEach } from './bert-normalizer.js';
import { charsmapNormalizer, charsmapOf } from './charsmap.js';
import { bertWords, digitsSplit, punctuationSplit, whitespaceSplit, whitespaceWords } from './pre-tokenizers.js';
import { unigramEncoder } from './unigram.js';
import { wordPieceEncoder } from './wordpiece.js';

/**
 * The JavaScript library with the parts replaced in which its ids differ from those of the Rust library, which made the
 * ids that models were trained on. It is not told of added tokens and special tokens, which are matched and put in by
 * ourselves: it would take an added token for a piece of words.
 */
export function libraryTokenizer(tokenizerJson: object, tokenizerConfig: object): Tokenizer {
  let tokenizer: Tokenizer;
  try {
    tokenizer = new Tokenizer(tokenizerJson, tokenizerConfig);
  } catch (cause) {
    throw new TenbinError('malformed', {
      what: 'tokenizer.json holds something that the tokenizer library does not know',
      value: reasonOf(cause),
      fix: 'Check the file; models of type WordPiece, BPE and Unigram are supported.',
      cause,
    });
  }
  if (tokenizer.normalizer !== null) repairNormalizer(tokenizer.normalizer);
  if (tokenizer.pre_tokenizer !== null) repairPreTokenizer(tokenizer.pre_tokenizer);
  repairModel(tokenizer);
  return tokenizer;
}

function repairNormalizer(normalizer: Normalizer): void {
  if (normalizer instanceof SequenceNormalizer) {
    for (const part of normalizer.normalizers) if (part !== null) repairNormalizer(part);
  } else if (normalizer instanceof BertNormalizer) {
    normalizer.normalize = bertNormalizer(normalizer.config);
  } else if (normalizer instanceof LowercaseNormalizer) {
    normalizer.normalize = lowerEach;
  } else if (normalizer instanceof PrecompiledNormalizer) {
    normalizer.normalize = charsmapNormalizer(charsmapOf(String(normalizer.charsmap ?? '')));
  }
}

function repairPreTokenizer(part: PreTokenizer): void {
  if (part instanceof SequencePreTokenizer) {
    for (const inner of part.tokenizers) if (inner !== null) repairPreTokenizer(inner);
  } else if (part instanceof BertPreTokenizer) {
    part.pre_tokenize_text = bertWords;
  } else if (part instanceof WhitespacePreTokenizer) {
    part.pre_tokenize_text = whitespaceWords;
  } else if (part instanceof WhitespaceSplitPreTokenizer) {
    part.pre_tokenize_text = whitespaceSplit;
  } else if (part instanceof DigitsPreTokenizer) {
    part.pre_tokenize_text = digitsSplit(part.config.individual_digits ?? false);
  } else if (part instanceof PunctuationPreTokenizer) {
    part.pre_tokenize_text = punctuationSplit(part.config.behavior ?? 'Isolated');
  }
}

function repairModel({ model }: Tokenizer): void {
  if (model instanceof WordPiece) {
    model.encode = wordPieceEncoder({
      vocabulary: model.tokens_to_ids,
      unknown: model.unk_token ?? '[UNK]',
      continuing: model.config.continuing_subword_prefix,
      longestWord: model.max_input_chars_per_word,
    });
  } else if (model instanceof Unigram) {
    model.encode = unigramEncoder({
      vocabulary: model.tokens_to_ids,
      scores: model.scores,
      unknownScore: model.unk_score,
      byteFallback: model.config.byte_fallback ?? false,
      prefixes: (characters, start) => model.trie.common_prefix_search(characters, start),
    });
  }
}
