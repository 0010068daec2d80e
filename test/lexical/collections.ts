import fc from 'fast-check';
import { analyzers } from '../../runners/analyzers/index.js';
import { lexical } from '../../runners/families/lexical.js';
import { models } from '../../runners/models/index.js';
import type { Hits, Prepared, Texts } from '../../runners/system.js';

/** Few words, so that documents share them and scores tie; one of them no document holds, and some texts are empty. */
const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const wordsOf = (maxLength: number) => fc.array(word, { maxLength }).map((words) => words.join(' '));
const queryWord = fc.oneof({ weight: 5, arbitrary: word }, fc.constant('nowhere'));

export const collections: fc.Arbitrary<Texts> = fc.record({
  docs: fc.array(wordsOf(12), { minLength: 1, maxLength: 12 }),
  queries: fc.array(
    fc.array(queryWord, { maxLength: 6 }).map((words) => words.join(' ')),
    { minLength: 1, maxLength: 4 },
  ),
});

const engine = { analyzer: analyzers.bind('unicode'), seed: 17 };

export function prepare(system: string, texts: Texts): Promise<Prepared> {
  return lexical.prepare(texts, models.bind(system), engine);
}

/** The score of every document for every query: zero (and no row of `found`) where nothing matches. */
export async function scoresOf({ index }: Prepared, texts: Texts): Promise<number[][]> {
  const all = Int32Array.from(texts.docs.keys());
  return Promise.all(
    texts.queries.map(async (_, query) => byPosition(await index.search(query, all.length, all), all.length)),
  );
}

export function byPosition({ docs, scores }: Hits, docCount: number): number[] {
  const row = new Array<number>(docCount).fill(Number.NaN);
  docs.forEach((doc, i) => {
    row[doc] = scores[i];
  });
  return row;
}
