import type { SourceQrel } from '../types.js';
import { type Emoji, emojiLocales, emojiTerms, readEmoji } from './emojibase.js';
import { memberOf } from './members.js';
import { type Collection, npmSource } from './npm-source.js';
import { need } from './packages.js';
import type { SourcePlugin } from './plugin.js';

export const emoji: SourcePlugin = {
  name: 'emoji',
  summary: 'A keyword → the names of all emoji that carry it, in one language.',
  scheme: 'npm',
  form: 'npm:emoji-<locale>',
  members: () => emojiLocales,
  needs: () => [need('emojibase-data')],
  bind: (argument) => {
    const locale = memberOf('emoji', argument, emojiLocales);
    return npmSource({
      id: `npm:emoji-${locale}`,
      facts: { ...emojiTerms, title: `Emoji search (${locale}): keyword → emoji names`, language: locale },
      packages: ['emojibase-data'],
      load: ([data]) => collectionOf(readEmoji(data, locale)),
    });
  },
};

// Fewer and the keyword is no more than a name; more and it is a category ("flag"), which any ranking satisfies.
const fewestEmoji = 2;
const mostEmoji = 30;

function collectionOf(all: readonly Emoji[]): Collection {
  const kept = [...carriersByKeyword(all)].filter(
    ([, carriers]) => carriers.length >= fewestEmoji && carriers.length <= mostEmoji,
  );
  return {
    docs: all.map(({ id, name, at }) => ({ id, title: '', text: name, at })),
    queries: kept.map(([keyword, [first]]) => ({ id: keyword, text: keyword, at: first?.at ?? '' })),
    qrels: kept.flatMap(([keyword, carriers]) =>
      carriers.map(({ id, at }): SourceQrel => ({ query: keyword, doc: id, grade: '1', at })),
    ),
  };
}

function carriersByKeyword(all: readonly Emoji[]): ReadonlyMap<string, readonly Emoji[]> {
  const carriers = new Map<string, Emoji[]>();
  for (const item of all) {
    for (const keyword of item.keywords) {
      const known = carriers.get(keyword);
      if (known === undefined) carriers.set(keyword, [item]);
      else known.push(item);
    }
  }
  return carriers;
}
