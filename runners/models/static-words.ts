import { noArgument, type Plugin } from '../../core/registry.js';
import { encodeStatic, openWordVectors, packagePlaces, winkEmbeddings } from '../backends/static-words.js';
import type { FittedModel } from '../system.js';

/** Dense vectors of English texts without a graph to run: the mean of word vectors from an npm package. */
export const staticWords: Plugin<FittedModel> = staticWordsIn(() => packagePlaces(winkEmbeddings.name));

/** `places` are the folders where the package may be. */
export function staticWordsIn(places: () => readonly string[]): Plugin<FittedModel> {
  const { name, version } = winkEmbeddings;
  const id = `static:${name}`;
  return {
    name: id,
    summary: `dense, English: means of GloVe word vectors of the npm package ${name}@${version}, where it is installed`,
    bind: (argument) => {
      noArgument(id, argument);
      return {
        kind: 'fitted',
        family: 'dense',
        id,
        summary: `mean of the word vectors of ${name}@${version}, by rarity`,
        encode: (texts) => {
          const output = encodeStatic(texts, openWordVectors(winkEmbeddings, places()));
          return { ...output, conditions: { ...output.conditions, 'static.package': `${name}@${version}` } };
        },
      };
    },
  };
}
