/** The parts of the library that we use: its own declarations import without file endings, which NodeNext refuses. */
declare module '@huggingface/tokenizers' {
  interface Normalizer {
    normalize: (text: string) => string;
  }
  interface Model {
    readonly vocab: readonly (string | undefined)[];
    readonly tokens_to_ids: ReadonlyMap<string, number>;
    readonly unk_token_id?: number;
    readonly unk_token?: string;
    /** Pieces of words; the model itself also joins unknown pieces where its file says so. */
    (words: readonly string[]): string[];
    encode: (words: readonly string[]) => string[];
  }
  interface PreTokenizer {
    /** `section_index` is 0 for the beginning of a text. */
    pre_tokenize: (text: string, place: { readonly section_index: number }) => string[];
    pre_tokenize_text: (text: string) => string[];
  }
  export class Tokenizer {
    constructor(tokenizerJson: object, tokenizerConfig: object);
    readonly normalizer: Normalizer | null;
    readonly pre_tokenizer: PreTokenizer | null;
    readonly model: Model;
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
    pre_tokenize: PreTokenizer['pre_tokenize'];
    readonly tokenizers: readonly (PreTokenizer | null)[];
    pre_tokenize_text: (text: string) => string[];
  }
  export class BertPreTokenizer implements PreTokenizer {
    pre_tokenize: PreTokenizer['pre_tokenize'];
    private readonly bert: true;
    pre_tokenize_text: (text: string) => string[];
  }
  export class WhitespacePreTokenizer implements PreTokenizer {
    pre_tokenize: PreTokenizer['pre_tokenize'];
    private readonly whitespace: true;
    pre_tokenize_text: (text: string) => string[];
  }
  export class WhitespaceSplitPreTokenizer implements PreTokenizer {
    pre_tokenize: PreTokenizer['pre_tokenize'];
    private readonly whitespaceSplit: true;
    pre_tokenize_text: (text: string) => string[];
  }
  export class DigitsPreTokenizer implements PreTokenizer {
    pre_tokenize: PreTokenizer['pre_tokenize'];
    readonly config: { readonly individual_digits?: boolean };
    pre_tokenize_text: (text: string) => string[];
  }
  export class PunctuationPreTokenizer implements PreTokenizer {
    pre_tokenize: PreTokenizer['pre_tokenize'];
    readonly config: { readonly behavior?: string };
    pre_tokenize_text: (text: string) => string[];
  }
  interface WordPiece extends Model {
    readonly config: { readonly continuing_subword_prefix: string };
    readonly max_input_chars_per_word: number;
  }
  export const WordPiece: abstract new (config: never) => WordPiece;
  interface Unigram extends Model {
    readonly config: { readonly byte_fallback?: boolean };
    readonly scores: readonly number[];
    readonly unk_score: number;
    readonly trie: {
      readonly common_prefix_search: (characters: readonly string[], start: number) => Iterable<string>;
    };
  }
  export const Unigram: abstract new (config: never) => Unigram;
}
