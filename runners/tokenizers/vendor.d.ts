/** The parts of the library that we use: its own declarations import without file endings, which NodeNext refuses. */
declare module '@huggingface/tokenizers' {
  interface Normalizer {
    normalize: (text: string) => string;
  }
  interface Model {
    readonly vocab: readonly (string | undefined)[];
    readonly tokens_to_ids: ReadonlyMap<string, number>;
    readonly unk_token?: string;
    encode: (words: readonly string[]) => string[];
  }
  interface PreTokenizer {
    pre_tokenize_text: (text: string) => string[];
  }
  export class Tokenizer {
    constructor(tokenizerJson: object, tokenizerConfig: object);
    readonly normalizer: Normalizer | null;
    readonly pre_tokenizer: PreTokenizer | null;
    readonly model: Model;
    encode(text: string): { readonly ids: readonly number[] };
    token_to_id(token: string): number | undefined;
  }
  export class SequenceNormalizer implements Normalizer {
    readonly normalizers: readonly (Normalizer | null)[];
    normalize: (text: string) => string;
  }
  export class BertNormalizer implements Normalizer {
    readonly config: Readonly<Record<string, boolean | null>>;
    normalize: (text: string) => string;
  }
  export class LowercaseNormalizer implements Normalizer {
    private readonly lowercase: true;
    normalize: (text: string) => string;
  }
  export class PrecompiledNormalizer implements Normalizer {
    readonly charsmap: unknown;
    normalize: (text: string) => string;
  }
  export class SequencePreTokenizer implements PreTokenizer {
    readonly tokenizers: readonly (PreTokenizer | null)[];
    pre_tokenize_text: (text: string) => string[];
  }
  export class BertPreTokenizer implements PreTokenizer {
    private readonly bert: true;
    pre_tokenize_text: (text: string) => string[];
  }
  export class WhitespacePreTokenizer implements PreTokenizer {
    private readonly whitespace: true;
    pre_tokenize_text: (text: string) => string[];
  }
  export class WhitespaceSplitPreTokenizer implements PreTokenizer {
    private readonly whitespaceSplit: true;
    pre_tokenize_text: (text: string) => string[];
  }
  export class DigitsPreTokenizer implements PreTokenizer {
    readonly config: { readonly individual_digits?: boolean };
    pre_tokenize_text: (text: string) => string[];
  }
  export class PunctuationPreTokenizer implements PreTokenizer {
    readonly config: { readonly behavior?: string };
    pre_tokenize_text: (text: string) => string[];
  }
  export class WordPiece implements Model {
    readonly config: { readonly continuing_subword_prefix: string };
    readonly max_input_chars_per_word: number;
    readonly vocab: readonly string[];
    readonly tokens_to_ids: ReadonlyMap<string, number>;
    encode: (words: readonly string[]) => string[];
    readonly unk_token?: string;
  }
  export class Unigram implements Model {
    readonly config: { readonly byte_fallback?: boolean };
    readonly scores: readonly number[];
    readonly unk_score: number;
    readonly trie: {
      readonly common_prefix_search: (characters: readonly string[], start: number) => Iterable<string>;
    };
    readonly vocab: readonly string[];
    readonly tokens_to_ids: ReadonlyMap<string, number>;
    encode: (words: readonly string[]) => string[];
  }
}
