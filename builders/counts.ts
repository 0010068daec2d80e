import type { Manifest } from '../tasks/types.js';
import type { Collection } from './collection.js';
import type { Frozen } from './freeze.js';
import { answerable } from './samplers/fill.js';

/**
 * The counts of a manifest. Three sums hold:
 *
 *     read.docs    − emptyDocs − duplicateDocs − leftOutDocs = kept.docs
 *     read.queries − emptyQueries − queriesWithoutPositives − leftOutQueries = kept.queries
 *     read.qrels   − qrelsOfEmptyDocs − qrelsOfEmptyQueries − mergedQrels − leftOutQrels = kept.qrels
 *
 * `unjudgedQueries` are among `queriesWithoutPositives`; what --lenient dropped was never counted as read.
 */
export function buildCounts({ docIds, queries, judged, counts }: Collection, frozen: Frozen): Manifest['counts'] {
  const answered = answerable(judged).length;
  const qrels = total(judged);
  const kept = { docs: frozen.docs.length, queries: frozen.queries.length, qrels: total(frozen.judged.values()) };
  return {
    ...counts,
    kept,
    queriesWithoutPositives: queries.length - answered,
    unjudgedQueries: judged.filter(({ size }) => size === 0).length,
    leftOutDocs: docIds.length - kept.docs,
    leftOutQueries: answered - kept.queries,
    leftOutQrels: qrels - kept.qrels,
  };
}

function total(judged: Iterable<{ readonly size: number }>): number {
  return [...judged].reduce((sum, { size }) => sum + size, 0);
}
