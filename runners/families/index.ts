import type { Engine, Family, Model, Prepared, Texts } from '../system.js';
import { dense } from './dense.js';
import { lexical } from './lexical.js';

/** One file and one line each. */
export const families: readonly Family[] = [lexical, dense];

/** Makes a model ready for a task, by its family. */
export async function prepareModel(texts: Texts, model: Model, engine: Engine): Promise<Prepared> {
  const family = families.find(({ id }) => id === model.family);
  if (family === undefined) throw new Error(`No family reads models of kind ${model.family}.`);
  return family.prepare(texts, model, engine);
}
