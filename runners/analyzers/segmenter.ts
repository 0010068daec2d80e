import { TenbinError } from '../../core/errors.js';
import type { Plugin } from '../../core/registry.js';
import type { Analyzer } from '../system.js';
import { unicodeVersion } from './versions.js';
import { foldCase } from './words.js';

/**
 * Intl.Segmenter takes time that grows with the square of the text's length (100,000 characters: 16 s and more), so it
 * gets pieces that end at a blank or a punctuation mark, or after 1,000 characters where there is none.
 */
const pieces = /.{1,1000}(?:[\s\p{P}]|$)|.{1,1000}/gsu;

/** Words by ICU's rules and dictionaries, some 45 times slower than by a pattern, and they change with ICU. */
export const segmenter: Plugin<Analyzer> = {
  name: 'segmenter',
  summary: 'Words by Intl.Segmenter and the dictionaries of ICU: segmenter@th',
  bind: (argument) => {
    const locale = argument === undefined ? undefined : canonicalLocale(argument);
    const words = new Intl.Segmenter(locale ?? 'und', { granularity: 'word' });
    return {
      id: locale === undefined ? 'segmenter' : `segmenter@${locale}`,
      version: `${unicodeVersion}, icu ${process.versions.icu}`,
      analyze: (text) => {
        const terms: string[] = [];
        for (const piece of foldCase(text).match(pieces) ?? []) {
          for (const { segment, isWordLike } of words.segment(piece)) if (isWordLike) terms.push(segment);
        }
        return terms;
      },
    };
  },
};

function canonicalLocale(argument: string): string {
  try {
    const [locale] = Intl.Segmenter.supportedLocalesOf(argument);
    if (locale !== undefined) return locale;
  } catch {
    // A RangeError for what is no locale at all; the answer is the same.
  }
  throw new TenbinError('usage', {
    what: 'segmenter wants a locale that this Node knows',
    value: `segmenter@${argument}`,
    fix: 'Write for example `segmenter@th` or `segmenter@zh-Hant`.',
  });
}
