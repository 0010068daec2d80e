import { parseDocument } from 'yaml';
import { z } from 'zod';
import type { FolderContents } from './folder-contents.js';

/** First words of licences that models come under. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/^\s*Apache License\s+Version 2\.0/m, 'Apache-2.0'],
  [/^\s*(The )?MIT License/m, 'MIT'],
  [/^\s*GNU GENERAL PUBLIC LICENSE\s+Version 3/m, 'GPL-3.0'],
  [/^\s*Attribution-NonCommercial-ShareAlike 4\.0 International/m, 'CC-BY-NC-SA-4.0'],
  [/^\s*Attribution-NonCommercial 4\.0 International/m, 'CC-BY-NC-4.0'],
  [/^\s*Attribution-ShareAlike 4\.0 International/m, 'CC-BY-SA-4.0'],
  [/^\s*Attribution 4\.0 International/m, 'CC-BY-4.0'],
];

const headSchema = z.object({
  license: z.string().max(100).nullish().catch(null),
  language: z
    .union([z.string().max(20), z.array(z.string().max(20)).max(500)])
    .nullish()
    .catch(null),
});

/** The licence as the model's card or its LICENSE says; `unknown` where neither does. */
export function licenceOf(contents: FolderContents): string {
  const stated = headOf(contents).license;
  if (stated != null && stated !== '' && stated !== 'other') return stated;
  const start = (contents.licence ?? '').slice(0, 2_000);
  return texts.find(([text]) => text.test(start))?.[1] ?? 'unknown';
}

/** Languages as the model's card lists them; none where it does not. */
export function languagesOf(contents: FolderContents): readonly string[] {
  const { language } = headOf(contents);
  return typeof language === 'string' ? [language] : (language ?? []);
}

/** The YAML between two lines of dashes at the start of README.md. A broken one says nothing: it is for people. */
function headOf({ readme }: FolderContents): z.output<typeof headSchema> {
  const found = /^---\r?\n([\s\S]{0,200000}?)\r?\n---/.exec(readme ?? '');
  if (found === null) return {};
  const document = parseDocument(found[1] ?? '', { uniqueKeys: false });
  if (document.errors.length > 0) return {};
  const parsed = headSchema.safeParse(plainOf(document));
  return parsed.success ? parsed.data : {};
}

function plainOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    // Aliases that expand without end are refused by the parser.
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return null;
  }
}
