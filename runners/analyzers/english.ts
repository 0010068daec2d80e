import { eng } from 'stopword';
import porter2 from 'wink-porter2-stemmer';
import { noArgument, type Plugin } from '../../core/registry.js';
import type { Analyzer } from '../system.js';
import { packageVersion, unicodeVersion } from './versions.js';
import { foldCase, longestStemmed, wordAnalyzer } from './words.js';

/** What `doesn't` and the like are folded to; written so, they are common as well. */
const negations =
  'aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt mustnt neednt shant shouldnt wasnt werent wont wouldnt';

/** The list of 108 words: over 16 English collections it ranks a little better than Snowball's 174 or Lucene's 33. */
export const englishStopWords: ReadonlySet<string> = new Set([...eng, ...negations.split(' ')]);

/**
 * Porter2 (Porter 2001, https://snowballstem.org/algorithms/english/stemmer.html). The package marks a consonant `y`
 * with a `3` and turns a real 3 into a `y`, so words that hold one stay as they are.
 */
export function englishStem(word: string): string {
  return word.length > longestStemmed || word.includes('3') ? word : porter2(word);
}

const negation = /(?<=n)['’](?=t(?![\p{L}\p{N}\p{M}_]))/gu;
const contraction = /['’](?:s|d|m|ll|ve|re)(?![\p{L}\p{N}\p{M}_])/gu;

/** `patient's` → `patient`, `we've` → `we`, `doesn't` → `doesnt`; the bare `s` and `t` of "T cells" are not touched. */
function withoutContractions(folded: string): string {
  if (!folded.includes("'") && !folded.includes('’')) return folded;
  return folded.replace(negation, '').replace(contraction, ' ');
}

export const english: Plugin<Analyzer> = {
  name: 'english',
  summary: 'English words without stop words and possessives, stemmed by Porter2',
  bind: (argument) => {
    noArgument('english', argument);
    return wordAnalyzer({
      id: 'english',
      version: `${unicodeVersion}, ${packageVersion('wink-porter2-stemmer')}, ${packageVersion('stopword')}`,
      fold: (text) => withoutContractions(foldCase(text)),
      termsOf: (word) => (englishStopWords.has(word) ? [] : [englishStem(word)]),
    });
  },
};
