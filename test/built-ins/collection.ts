import { analyzers } from '../../runners/analyzers/index.js';
import { prepareModel } from '../../runners/families/index.js';
import type { Engine, Hits, Model, Prepared, Texts } from '../../runners/system.js';

export const engine: Engine = { analyzer: analyzers.bind('unicode'), seed: 17 };

/** Two subjects, each with words that only go together there; `car` and `auto` never meet, but share their company. */
export const subjects: Texts = {
  docs: [
    'car engine wheel road',
    'auto engine wheel road',
    'car engine road driver',
    'auto wheel road driver',
    'cat fur paw whisker',
    'kitten fur paw whisker',
    'cat fur whisker milk',
    'kitten paw whisker milk',
  ],
  queries: ['car', 'kitten', 'unheard of', ''],
};

export const prepare = (model: Model, texts: Texts = subjects): Promise<Prepared> => prepareModel(texts, model, engine);

export async function ranked({ index }: Prepared, query: number, k = 100, among?: Int32Array): Promise<Hits> {
  return index.search(query, k, among);
}
