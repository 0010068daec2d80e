import { z } from 'zod';
import type { SourceFacts } from '../types.js';
import { memberOf } from './members.js';
import { type Collection, npmSource } from './npm-source.js';
import { loadModule, readPackageJson, unfit } from './package-files.js';
import { type InstalledPackage, need } from './packages.js';
import type { SourcePlugin } from './plugin.js';
import { qrelsOfSameText } from './same-text.js';

/** The languages that the TypeScript 5.9 compiler speaks; a test holds the list against the package. */
const locales = ['cs', 'de', 'es', 'fr', 'it', 'ja', 'ko', 'pl', 'pt-br', 'ru', 'tr', 'zh-cn', 'zh-tw'] as const;

export const tsdiag: SourcePlugin = {
  name: 'tsdiag',
  summary: 'A message of the TypeScript compiler in one language → the English message.',
  scheme: 'npm',
  form: 'npm:tsdiag-<locale>',
  members: () => locales,
  needs: () => [need('typescript')],
  bind: (argument) => {
    const locale = memberOf('tsdiag', argument, locales);
    return npmSource({
      id: `npm:tsdiag-${locale}`,
      facts: factsOf(locale),
      packages: ['typescript'],
      load: ([typescript]) => load(typescript, locale),
    });
  },
};

function factsOf(locale: string): SourceFacts {
  return {
    title: `TypeScript diagnostics: message in ${locale} → English message`,
    licence: 'Apache-2.0',
    attribution: 'Diagnostic messages of TypeScript, copyright Microsoft Corporation (Apache-2.0).',
    citation: 'Microsoft. TypeScript, version 5.9. https://www.typescriptlang.org, 2025.',
    language: locale,
    documentLanguage: 'en',
    domain: 'software',
  };
}

// Shorter ones are headings and column names of --help (`FILE`, `Options:`), not messages.
const shortestMessage = 20;

const english = z.object({
  Diagnostics: z.record(z.string(), z.object({ code: z.number(), key: z.string(), message: z.string() })),
});
const localized = z.record(z.string(), z.string());

function load(typescript: InstalledPackage, locale: string): Collection {
  const path = `lib/${locale}/diagnosticMessages.generated.json`;
  const translations = new Map(Object.entries(readPackageJson(typescript, path, localized)));
  const kept = messagesOf(typescript).filter(({ message }) => message.length >= shortestMessage);
  const queries = kept.flatMap(({ code, key }) => {
    const text = translations.get(key);
    return text === undefined ? [] : [{ id: `TS${code}`, text, at: `typescript/${path}#${key}` }];
  });
  return {
    docs: kept.map(({ code, key, message }) => {
      return { id: `TS${code}`, title: '', text: message, at: `typescript/lib/typescript.js#${key}` };
    }),
    queries,
    qrels: qrelsOfSameText(queries),
  };
}

/** The English messages are in the compiler only, as `ts.Diagnostics`, which is not part of its public interface. */
function messagesOf(typescript: InstalledPackage): readonly { code: number; key: string; message: string }[] {
  const module = english.safeParse(loadModule(typescript, 'lib/typescript.js'));
  if (!module.success) throw unfit(typescript, 'ts.Diagnostics', module.error);
  return Object.values(module.data.Diagnostics);
}
