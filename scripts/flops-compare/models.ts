import { lookUpSubject } from '../flops/look-up.js';
import type { ComparedModel } from './our-rows.js';

/** The layers of each model, in the order given and each once: what `tenbin flops --model` takes. */
export async function comparedModels(texts: readonly string[], quiet?: boolean): Promise<readonly ComparedModel[]> {
  const found = new Map<string, ComparedModel>();
  for (const text of texts) {
    const { model, cost } = await lookUpSubject(text, quiet);
    found.set(model, { model, architecture: cost.architecture });
  }
  return [...found.values()];
}
