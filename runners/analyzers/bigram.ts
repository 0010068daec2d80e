import { noArgument, type Plugin } from '../../core/registry.js';
import type { Analyzer } from '../system.js';
import { unicodeVersion } from './versions.js';
import { foldCase, wordClass } from './words.js';

/** Scripts written without blanks between words, and Korean, whose particles stick to theirs. */
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
// The prolonged sound marks of kana belong to no single script.
const runClass = `[[${wordClass}]&&[${unspaced}\u30fc\uff70]]`;
const pieces = new RegExp(`${runClass}[${runClass}\\p{M}]*|[[${wordClass}]--${runClass}]+`, 'gv');
const startsRun = new RegExp(`^${runClass}`, 'v');

/**
 * What a reader takes for one character where it is more than one code point: a base with its marks and stacked
 * consonants, and in Thai and Lao with the vowels written before and after it. Against bare code points this lifts
 * BM25's nDCG@10 from 0.86 to 0.93 on iapp-thai.
 */
const cluster =
  /[\u0e40-\u0e44\u0ec0-\u0ec4]?.(?:[\u1039\u17d2]\p{L}|\p{M})*[\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3]?/gsu;
const oneUnitEach = /^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+$/;

/** Full-width letters and half-width kana are the same characters in another width (as Lucene's CJKWidthFilter). */
const otherWidth = /[\uff01-\uff9f]+/g;

function bigramsOf(run: string): string[] {
  const characters = oneUnitEach.test(run) ? run.split('') : (run.match(cluster) ?? []);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => characters[i] + character);
}

function analyze(text: string): string[] {
  const folded = foldCase(text.replace(otherWidth, (run) => run.normalize('NFKC')));
  return (folded.match(pieces) ?? []).flatMap((piece) => (startsRun.test(piece) ? bigramsOf(piece) : piece));
}

/** Bigrams need no dictionary, so they do not change with Node; words in other scripts come out as `unicode` has them. */
export const bigram: Plugin<Analyzer> = {
  name: 'bigram',
  summary: 'Character bigrams of Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese; other scripts as words',
  bind: (argument) => {
    noArgument('bigram', argument);
    return { id: 'bigram', version: unicodeVersion, analyze };
  },
};
