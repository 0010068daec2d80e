import type { Source } from '../tasks/types.js';
import type { Collection } from './collection.js';
import { readDocs, streamTexts } from './read-docs.js';
import { type Leniency, policyOf } from './read-policy.js';
import { readQrels } from './read-qrels.js';
import { readQueries } from './read-queries.js';

export interface ReadOptions {
  readonly leniency: Leniency;
}

/**
 * Reads and cleans a collection: texts normalized, empty ones dropped, byte-identical documents collapsed, ids and
 * grades checked. One pass over the documents that keeps their ids and digests, and no text.
 */
export async function readCollection(source: Source, { leniency }: ReadOptions): Promise<Collection> {
  const policy = policyOf(leniency);
  const docs = await readDocs(source, policy);
  const queries = await readQueries(source, policy);
  const qrels = await readQrels({ source, docs, queries, policy });
  return {
    docIds: docs.ids,
    queries: queries.queries,
    judged: qrels.judged,
    texts: (wanted) => streamTexts(source, docs, wanted),
    counts: {
      read: { docs: docs.read, queries: queries.read, qrels: qrels.read },
      emptyDocs: docs.emptyIds.size,
      duplicateDocs: docs.duplicates,
      emptyQueries: queries.emptyIds.size,
      mergedQrels: qrels.merged,
      qrelsOfEmptyDocs: qrels.ofEmptyDocs,
      qrelsOfEmptyQueries: qrels.ofEmptyQueries,
      repairedTexts: docs.repaired + queries.repaired,
      droppedDocs: policy.dropped('droppedDocs'),
      droppedQueries: policy.dropped('droppedQueries'),
      droppedQrels: policy.dropped('droppedQrels'),
    },
  };
}
