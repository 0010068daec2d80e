import { z } from 'zod';
import type { SourceFacts } from '../types.js';
import { readPackageJson } from './package-files.js';
import type { InstalledPackage } from './packages.js';

/** The locales of emojibase-data 17 in which emoji have keywords; a test holds the list against the data. */
export const emojiLocales = [
  ...['bn', 'da', 'de', 'en', 'en-gb', 'es', 'es-mx', 'et', 'fi', 'fr', 'hi', 'hu', 'it', 'ja', 'ko', 'lt', 'ms'],
  ...['nb', 'nl', 'pl', 'pt', 'ru', 'sv', 'th', 'uk', 'vi', 'zh', 'zh-hant'],
] as const;

export interface Emoji {
  readonly id: string;
  readonly name: string;
  readonly keywords: readonly string[];
  readonly at: string;
}

export const emojiTerms: Pick<SourceFacts, 'licence' | 'attribution' | 'citation' | 'domain'> = {
  licence: 'MIT AND Unicode-3.0',
  attribution:
    'Emoji names and keywords of the Unicode CLDR, copyright Unicode, Inc. (Unicode-3.0), as published in emojibase-data, copyright Miles Johnson (MIT).',
  citation: 'Unicode Consortium. Common Locale Data Repository, annotations. https://cldr.unicode.org, 2025.',
  domain: 'emoji',
};

const schema = z.array(
  z.object({
    hexcode: z.string(),
    label: z.string(),
    tags: z.array(z.string()).optional(),
    group: z.number().optional(),
  }),
);

/** All emoji that a picker shows. The 26 regional indicators are in no group: they are halves of flags. */
export function readEmoji(data: InstalledPackage, locale: string): readonly Emoji[] {
  const path = `${locale}/data.json`;
  return readPackageJson(data, path, schema)
    .filter(({ group }) => group !== undefined)
    .map(({ hexcode, label, tags = [] }) => ({
      id: hexcode,
      name: clean(label),
      keywords: [...new Set(tags.map(clean))],
      at: `emojibase-data/${path}#${hexcode}`,
    }));
}

const clean = (text: string): string => text.normalize('NFC').trim();
