import { noArgument, type Plugin } from '../../core/registry.js';
import type { Analyzer } from '../system.js';
import { unicodeVersion } from './versions.js';
import { foldCase, wordAnalyzer } from './words.js';

/** Words as they stand in the text, folded: right for every script that puts blanks between words. */
export const unicode: Plugin<Analyzer> = {
  name: 'unicode',
  summary: 'Words of letters, digits and combining marks, lower-cased; for languages without a stemmer',
  bind: (argument) => {
    noArgument('unicode', argument);
    return wordAnalyzer({ id: 'unicode', version: unicodeVersion, fold: foldCase, termsOf: (word) => [word] });
  },
};
