import { labelOf } from './prompts.js';
import type { Reading } from './reading.js';

/** `B`, `(B)`, `**Passage B**`, `passage b.` */
const whole = /^[^\p{L}\p{N}]*(?:passage[^\p{L}\p{N}]*)?([A-Z])[^\p{L}\p{N}]*$/iu;
/** A letter that cannot be the article or the pronoun: after "passage" or "answer", in brackets, or as a heading. */
const mention =
  /(?:[Pp]assage|PASSAGE|[Aa]nswer:|[Aa]nswer is)\s*[[("'*]*([A-Z])(?![A-Za-z])|[[("'*]([A-Z])[\])"'*]|^([A-Z])(?=\s*[.:,)\n-])/g;

/**
 * The passage that an answer names, of `count` lettered ones. Where several are named the first counts if the answer
 * starts with it. Otherwise the first passage stays.
 */
export function readLabel(text: string, count: number): Reading<number> {
  const exact = placeOf(whole.exec(text)?.[1], count);
  if (exact !== null) return { value: exact, outcome: 'clean' };
  const mentions = [...text.matchAll(mention)].flatMap((match) => {
    const place = placeOf(match[1] ?? match[2] ?? match[3], count);
    return place === null ? [] : [{ place, at: match.index }];
  });
  const first = mentions.at(0);
  // Two characters of room for brackets or bold.
  const clear = first !== undefined && (first.at <= 2 || mentions.every(({ place }) => place === first.place));
  return clear ? { value: first.place, outcome: 'repaired' } : { value: 0, outcome: 'malformed' };
}

function placeOf(letter: string | undefined, count: number): number | null {
  if (letter === undefined) return null;
  const place = letter.toUpperCase().charCodeAt(0) - labelOf(0).charCodeAt(0);
  return place < count ? place : null;
}
