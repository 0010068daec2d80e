import { inKeyedOrder, keyedPlaces } from '../../core/keyed-hash.js';
import { noArgument, type Plugin } from '../../core/registry.js';
import type { Slot } from '../collection.js';
import { answerable, fill, negativesOf, roundRobin } from './fill.js';
import type { Sample, Sampler, SamplingRequest } from './sampler.js';

/**
 * Chooses by keyed hash of id and seed, so the order of the source cannot show, and a smaller set nests in a larger
 * one: fewer queries are a prefix of more, and for the same queries fewer documents are a prefix of more.
 */
export const hash: Plugin<Sampler> = {
  name: 'hash',
  summary: 'queries and filler by keyed hash; judged documents and hard negatives of BM25 before the filler',
  bind: (argument) => {
    noArgument('hash', argument);
    return { id: 'hash', order: 'free', sample };
  },
};

const key = (seed: number, what: 'queries' | 'docs') => `tenbin/sample@1/${what}/${seed}`;

async function sample({ collection, limits, seed, hardNegatives }: SamplingRequest): Promise<Sample> {
  const { docIds, queries, judged } = collection;
  const ordered = inKeyedOrder(answerable(judged), key(seed, 'queries'), (query) => queries[query].id);
  const chosen = ordered.slice(0, limits.queries);
  const places = keyedPlaces(docIds, key(seed, 'docs'));
  const byPlace = (slots: Iterable<Slot>) => [...slots].sort((a, b) => places[a] - places[b]);
  const fits = docIds.length <= limits.docs;
  async function* rest(): AsyncGenerator<Slot> {
    if (!fits) yield* roundRobin(await hardNegatives(chosen, places));
    yield* byPlace(docIds.keys());
  }
  const negatives = chosen.map((query) => byPlace(negativesOf(judged[query])));
  return fill({ queries: chosen, judged, limit: limits.docs, negatives, rest });
}
