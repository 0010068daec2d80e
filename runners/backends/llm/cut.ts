import type { Tally } from './tally.js';

/** At most so many UTF-16 units, and never half of a character. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const last = text.charCodeAt(maxCharacters - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? maxCharacters - 1 : maxCharacters);
}

/** Passages as they are shown; those that lost something are counted. */
export function cutAll(documents: readonly string[], maxCharacters: number, tally: Tally): string[] {
  const passages = documents.map((document) => cutText(document, maxCharacters));
  tally.truncated(passages.filter((passage, i) => passage.length < documents[i].length).length);
  return passages;
}
