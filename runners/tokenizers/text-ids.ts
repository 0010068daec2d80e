import type { Tokenizer as LibraryTokenizer } from '@huggingface/tokenizers';
import { type AddedToken, type Section, sectionsOf } from './added-tokens.js';

const rememberedWords = 100_000;
const longestRemembered = 64;

/**
 * The ids of a text without special tokens: cut at added tokens, normalized, cut at those that are matched after
 * normalization, cut into words, and each word into pieces. A word that was met before is looked up, which is half of
 * the work in running text.
 */
export function textIds(library: LibraryTokenizer, addedTokens: readonly AddedToken[]): (text: string) => number[] {
  const { normalizer, pre_tokenizer: preTokenizer } = library;
  const normalize = (text: string) => (normalizer === null ? text : normalizer.normalize(text));
  const afterwards = ({ normalized, special }: AddedToken) => normalizer !== null && (normalized ?? !special);
  const asWritten = sectionsOf(addedTokens.filter((token) => !afterwards(token)));
  const asNormalized = sectionsOf(
    addedTokens.filter(afterwards).map((token) => ({ ...token, content: normalize(token.content) })),
  );
  const idsOfWord = rememberingWords(library);
  return (text) => {
    const ids: number[] = [];
    const add = (part: Section, section: number) => {
      if ('id' in part) return void ids.push(part.id);
      const words =
        preTokenizer === null ? [part.text] : preTokenizer.pre_tokenize(part.text, { section_index: section });
      for (const word of words) for (const id of idsOfWord(word)) ids.push(id);
    };
    for (const [at, section] of asWritten(text).entries()) {
      if ('id' in section) ids.push(section.id);
      else for (const [within, part] of asNormalized(normalize(section.text)).entries()) add(part, at + within);
    }
    return ids;
  };
}

function rememberingWords({ model }: LibraryTokenizer): (word: string) => readonly number[] {
  const remembered = new Map<string, readonly number[]>();
  const unknown = model.unk_token_id;
  const idsOf = (word: string) =>
    model([word]).flatMap((piece) => {
      const id = model.tokens_to_ids.get(piece) ?? unknown;
      return id === undefined ? [] : [id];
    });
  return (word) => {
    const before = remembered.get(word);
    if (before !== undefined) return before;
    const ids = idsOf(word);
    if (word.length > longestRemembered) return ids;
    if (remembered.size >= rememberedWords) remembered.clear();
    remembered.set(word, ids);
    return ids;
  };
}
