import { noArgument, type Plugin } from '../../core/registry.js';
import type { Analyzer } from '../system.js';
import { englishStem, englishStopWords } from './english.js';
import { packageVersion, unicodeVersion } from './versions.js';
import { wordAnalyzer } from './words.js';

/** `parseHTTPHeader2` → parse, HTTP, Header, 2. */
const part = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}_]+|\p{N}+/gu;

/**
 * The whole identifier and its parts, for a query may hold either: camelCase and snake_case are split, parts are
 * English more often than not, so they are stemmed and stop words dropped.
 */
function termsOf(identifier: string): readonly string[] {
  const parts = (identifier.match(part) ?? []).map((text) => text.toLowerCase());
  const terms = parts.filter((text) => !englishStopWords.has(text)).map(englishStem);
  return parts.length > 1 ? [identifier.toLowerCase(), ...terms] : terms;
}

export const code: Plugin<Analyzer> = {
  name: 'code',
  summary: 'Identifiers whole and split at camelCase, snake_case and digits; English stop words and Porter2',
  bind: (argument) => {
    noArgument('code', argument);
    return wordAnalyzer({
      id: 'code',
      version: `${unicodeVersion}, ${packageVersion('wink-porter2-stemmer')}, ${packageVersion('stopword')}`,
      fold: (text) => text.normalize('NFC'),
      termsOf,
    });
  },
};
