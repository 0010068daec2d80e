import { type Emoji, emojiLocales, emojiTerms, readEmoji } from './emojibase.js';
import { memberOf } from './members.js';
import { type Collection, npmSource } from './npm-source.js';
import { need } from './packages.js';
import type { SourcePlugin } from './plugin.js';
import { qrelsOfSameText } from './same-text.js';

const locales = emojiLocales.filter((locale) => locale !== 'en' && locale !== 'en-gb');

export const emojix: SourcePlugin = {
  name: 'emojix',
  summary: 'The name of an emoji in one language → its English name and keywords.',
  scheme: 'npm',
  form: 'npm:emojix-<locale>',
  members: () => locales,
  needs: () => [need('emojibase-data')],
  bind: (argument) => {
    const locale = memberOf('emojix', argument, locales);
    return npmSource({
      id: `npm:emojix-${locale}`,
      facts: {
        ...emojiTerms,
        title: `Emoji across languages: name in ${locale} → English name and keywords`,
        language: locale,
        documentLanguage: 'en',
      },
      packages: ['emojibase-data'],
      load: ([data]) => collectionOf(readEmoji(data, locale), readEmoji(data, 'en')),
    });
  },
};

function collectionOf(local: readonly Emoji[], english: readonly Emoji[]): Collection {
  const known = new Set(english.map(({ id }) => id));
  const queries = local.filter(({ id }) => known.has(id)).map(({ id, name, at }) => ({ id, text: name, at }));
  return {
    docs: english.map(({ id, name, keywords, at }) => ({ id, title: name, text: keywords.join(', '), at })),
    queries,
    qrels: qrelsOfSameText(queries),
  };
}
