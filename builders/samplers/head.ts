import { noArgument, type Plugin } from '../../core/registry.js';
import type { Slot } from '../collection.js';
import { answerable, fill, negativesOf } from './fill.js';
import type { Sample, Sampler, SamplingRequest } from './sampler.js';

/**
 * The first of everything in source order, to compare with HAKARI-Bench, whose builder works so. Unlike there,
 * positives beyond the limit stay in, queries that repeat a text count, and the number of positives of a query has no
 * cap. The order of the source shows: sorted or grouped files give biased samples.
 */
export const head: Plugin<Sampler> = {
  name: 'head',
  summary: 'the first queries and documents in source order, as HAKARI-Bench takes them',
  bind: (argument) => {
    noArgument('head', argument);
    return { id: 'head', order: 'source', sample };
  },
};

function sample({ collection, limits }: SamplingRequest): Promise<Sample> {
  const { docIds, judged } = collection;
  const queries = answerable(judged).slice(0, limits.queries);
  const negatives = queries.map((query) => negativesOf(judged[query]));
  async function* rest(): AsyncGenerator<Slot> {
    yield* docIds.keys();
  }
  return fill({ queries, judged, limit: limits.docs, negatives, rest });
}
