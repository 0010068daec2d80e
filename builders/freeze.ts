import type { DocId, QueryId } from '../core/ids.js';
import { byCodePoint } from '../core/order.js';
import type { Doc, Judgements, Query } from '../tasks/types.js';
import type { Collection, Slot } from './collection.js';
import type { Sample } from './samplers/sampler.js';

export interface Frozen {
  readonly docs: readonly Doc[];
  readonly queries: readonly Query[];
  readonly judged: Judgements;
}

/** Fetches the texts of a sample and puts everything in code-point order of ids, so that no input order remains. */
export async function freeze(collection: Collection, sample: Sample): Promise<Frozen> {
  const docs: Doc[] = [];
  for await (const { slot, text } of collection.texts(sample.docs)) docs.push({ id: collection.docIds[slot], text });
  docs.sort(byId);
  const positions = [...sample.queries].sort((a, b) => byId(collection.queries[a], collection.queries[b]));
  const judged = positions.map((position): [QueryId, ReadonlyMap<DocId, number>] => [
    collection.queries[position].id,
    keptGrades(collection.judged[position], sample.docs, collection.docIds),
  ]);
  return { docs, queries: positions.map((position) => collection.queries[position]), judged: new Map(judged) };
}

function keptGrades(
  grades: ReadonlyMap<Slot, number>,
  kept: ReadonlySet<Slot>,
  docIds: readonly DocId[],
): ReadonlyMap<DocId, number> {
  const rows = [...grades].filter(([slot]) => kept.has(slot));
  return new Map(rows.map(([slot, grade]) => [docIds[slot], grade] as const).sort(([a], [b]) => byCodePoint(a, b)));
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return byCodePoint(a.id, b.id);
}
