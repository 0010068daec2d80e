import { deepestCutoff } from '../cutoff.js';
import { meansOnly } from '../measures/means-only.js';
import { parseMeasure } from '../measures/parse.js';
import type { Measure } from '../types.js';

const defaultMeasures = ['nDCG@10'] as const;
const defaultCutoff = 10;

/**
 * The measures asked for, each once, and beside them the recall at their deepest cut-off: what a reranker lifted into the
 * first k, as against `CandidateRecall`, which it cannot change. Throws for a measure that is no mean over queries.
 */
export function candidateMeasures(names: readonly string[] = defaultMeasures): readonly Measure[] {
  const asked = meansOnly(names.map(parseMeasure));
  const recall = parseMeasure(`R@${deepestCutoff(asked.map(({ name }) => name)) || defaultCutoff}`);
  return [...new Map([...asked, recall].map((measure) => [measure.name, measure])).values()];
}
