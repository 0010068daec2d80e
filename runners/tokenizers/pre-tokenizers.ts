/** How a pre-tokenizer cuts one text, by the character classes of the Rust library. */
type Cut = (text: string) => string[];

const matches =
  (pattern: RegExp): Cut =>
  (text) =>
    text.match(pattern) ?? [];

/** At White_Space: JavaScript's \s lacks U+0085 and has U+FEFF. */
export const whitespaceSplit = matches(/\P{White_Space}+/gu);

/** Words and runs of other characters; \w of the Rust library is Unicode's, JavaScript's is ASCII. */
export const whitespaceWords = matches(
  /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+|[^\p{White_Space}\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+/gu,
);

/** Punctuation of BERT: Unicode's and every ASCII symbol. */
const symbols = '\\p{P}\\u0021-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u007E';

export const bertWords = matches(new RegExp(`[^\\p{White_Space}${symbols}]+|[${symbols}]`, 'gu'));

/** Numbers are all of Unicode's, fractions and Roman numerals too. */
export function digitsSplit(individual: boolean): Cut {
  return matches(individual ? /\P{N}+|\p{N}/gu : /\P{N}+|\p{N}+/gu);
}

/** Each sign by itself, or in runs where the file says `Contiguous`. */
export function punctuationSplit(behavior: string): Cut {
  const many = behavior === 'Contiguous' ? '+' : '';
  return matches(new RegExp(`[^${symbols}]+|[${symbols}]${many}`, 'gu'));
}
