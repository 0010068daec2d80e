/** Ids of a text, or of its beginning when that is provably all that counts. */
export interface Prefix {
  readonly ids: readonly number[];
  /** False when the rest of the text was not looked at. */
  readonly complete: boolean;
}

/** What the proof below rests on. */
export interface Vocabulary {
  readonly pieces: Iterable<string>;
  readonly addedTokens: readonly string[];
}

/** A piece that goes on after a letter or digit and white space: SuperBPE and the like. */
const acrossWords = /[A-Za-z0-9][▁Ġ\s]/;

/** Whether no piece of the vocabulary reaches over the end of a word, so that texts can be cut there. */
export function canCutAtSpaces({ pieces, addedTokens }: Vocabulary): boolean {
  for (const piece of pieces) if (acrossWords.test(piece)) return false;
  return !addedTokens.some((token) => acrossWords.test(token));
}

const endOfWord = /[A-Za-z0-9][ \n]/g;
const charactersPerToken = 16;
/** More tokens than asked for are wanted before the rest is left out, for pre-tokenizers that look a little ahead. */
const margin = 32;

/**
 * The first `limit` ids of a text without looking at much more of it: a document of a megabyte costs as much as one of a
 * few pages. The text is cut behind an ASCII letter or digit and before a blank or line feed. Normalizers, pre-tokenizers
 * and pieces never join the two sides of such a place (`canCutAtSpaces` checks the pieces), so the ids of the beginning
 * are the beginning of the ids. Where the beginning gives too few, twice as much is tried: twice the work at worst.
 */
export function firstIds(text: string, limit: number, encode: (text: string) => readonly number[]): Prefix {
  for (let length = limit * charactersPerToken + 1024; length < text.length; length *= 2) {
    endOfWord.lastIndex = length;
    const found = endOfWord.exec(text);
    if (found === null) break;
    const ids = encode(text.slice(0, found.index + 1));
    if (ids.length >= limit + margin) return { ids, complete: false };
    length = Math.max(length, found.index);
  }
  return { ids: encode(text), complete: true };
}
