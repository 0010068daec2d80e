import type { Analyzer } from '../system.js';
import { bigram } from './bigram.js';
import { code } from './code.js';
import { english } from './english.js';
import { snowball, snowballLanguages } from './snowball.js';
import { unicode } from './unicode.js';

/** Written without blanks between words, or (Korean) with particles attached to them. */
const unspacedLanguages: ReadonlySet<string> = new Set(['zh', 'yue', 'wuu', 'ja', 'ko', 'th', 'lo', 'km', 'my']);
/** Unknown or several: `bigram` gives the same as `unicode` for every script with blanks, and better for the others. */
const openLanguages: ReadonlySet<string> = new Set(['und', 'mul']);

/**
 * The analyzer for a task: by domain, then by the language of its queries and of its documents where that is another
 * one. Languages are BCP 47 tags in any case (`pt-br`, `zh-Hant`); what is no tag counts as unknown.
 */
export function analyzerFor(language: string, documentLanguage?: string, domain?: string): Analyzer {
  if (domain === 'code') return code.bind(undefined);
  const asked = primaryLanguage(language);
  const held = documentLanguage === undefined ? asked : primaryLanguage(documentLanguage);
  if ([asked, held].some((tag) => unspacedLanguages.has(tag) || openLanguages.has(tag))) return bigram.bind(undefined);
  // Across languages only names and loans match; a stemmer of either would maim those of the other.
  if (asked !== held) return unicode.bind(undefined);
  if (asked === 'en') return english.bind(undefined);
  return snowballLanguages.has(asked) ? snowball.bind(asked) : unicode.bind(undefined);
}

/** `pt_BR` → `pt`, `jpn` → `ja`. */
function primaryLanguage(tag: string): string {
  try {
    const [locale = 'und'] = Intl.getCanonicalLocales(tag.trim().replace(/_/g, '-'));
    return locale.split('-')[0];
  } catch {
    return 'und';
  }
}
