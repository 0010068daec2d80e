import type { Analyzer } from '../system.js';

/**
 * The two halves of an analyzer whose terms come word by word, each from the word alone: an index needs to ask only
 * once for each distinct word of a collection.
 */
export interface WordRules {
  /** What happens to a text before it is cut into words: case, composition, joiners. */
  readonly fold: (text: string) => string;
  /** The terms of a word of the folded text: none for a stop word, several for an identifier. */
  readonly termsOf: (word: string) => readonly string[];
}

/** Beside the analyzers and not in them, so that a copy with another `analyze` does not keep the rules of the first. */
const rules = new WeakMap<Analyzer, WordRules>();

export function wordRulesOf(analyzer: Analyzer): WordRules | undefined {
  return rules.get(analyzer);
}

/**
 * Letters, digits, underscore as in `\w`, and combining marks: without them Devanagari and Thai fall apart at every
 * vowel sign.
 */
export const wordClass = '\\p{L}\\p{N}\\p{M}_';

const word = new RegExp(`[${wordClass}]+`, 'gu');

/** The words of a folded text, in order. */
export function wordsOf(folded: string): string[] {
  return folded.match(word) ?? [];
}

const invisible = /[\u00ad\u0640\u064b-\u065f\u0670\u200c\u200d]/;

/**
 * Lower case, composed (NFC), and without what readers do not see as part of a word: soft hyphens, joiners, and the
 * optional vowel points and stretching of Arabic script (as Lucene's ArabicNormalizer). Between Arabic letters the
 * zero-width non-joiner is a visible gap between morphemes, so there it separates (as Lucene's PersianCharFilter).
 */
export function foldCase(text: string): string {
  const folded = text.toLowerCase().normalize('NFC');
  if (!invisible.test(folded)) return folded;
  return folded
    .replace(/[\u00ad\u0640\u064b-\u065f\u0670\u200d]/g, '')
    .replace(/(?<=\p{Script=Arabic})\u200c+/gu, ' ')
    .replace(/\u200c/g, '');
}

/** Longer words are data and not language; stemmers take time that grows with the square of the length, or worse. */
export const longestStemmed = 64;

const rememberedWords = 200_000;

/** An analyzer by word rules, with the terms of each word remembered. */
export function wordAnalyzer({ id, version, fold, termsOf }: WordRules & Omit<Analyzer, 'analyze'>): Analyzer {
  const remembered = new Map<string, readonly string[]>();
  const recall = (word: string): readonly string[] => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    if (remembered.size >= rememberedWords) remembered.clear();
    const terms = termsOf(word);
    if (word.length <= longestStemmed) remembered.set(word, terms);
    return terms;
  };
  const analyze = (text: string): string[] => {
    const terms: string[] = [];
    for (const word of wordsOf(fold(text))) terms.push(...recall(word));
    return terms;
  };
  const analyzer = { id, version, analyze };
  rules.set(analyzer, { fold, termsOf: recall });
  return analyzer;
}
