import type { DocId } from '../core/ids.js';
import type { Counts, Query } from '../tasks/types.js';

/** A document's place in a collection: the order in which distinct texts first appear in the source. */
export type Slot = number;

/**
 * A source read and cleaned, its texts left outside: documents are known by slot, and texts come from reading the
 * source again, so that a corpus larger than memory fits.
 */
export interface Collection {
  /** Ids by slot; of byte-identical documents the smallest id. */
  readonly docIds: readonly DocId[];
  /** Queries that are not empty, in source order. */
  readonly queries: readonly Query[];
  /** Grades by slot for each query, by its position. */
  readonly judged: readonly ReadonlyMap<Slot, number>[];
  readonly counts: ReadCounts;
  /** Texts of the wanted slots (all of them when not said), each once, in the order of the source. */
  readonly texts: (wanted?: ReadonlySet<Slot>) => AsyncIterable<DocText>;
}

export interface DocText {
  readonly slot: Slot;
  readonly text: string;
}

/**
 * What reading found. `read` are the rows that could be used; what `lenient` dropped stands apart in `dropped…`. Then
 * `read.docs - emptyDocs - duplicateDocs` are the collection's documents, and
 * `read.qrels - qrelsOfEmptyDocs - qrelsOfEmptyQueries - mergedQrels` its judgements.
 */
export interface ReadCounts {
  readonly read: Counts;
  readonly emptyDocs: number;
  /** Byte-identical to a document with a smaller id. */
  readonly duplicateDocs: number;
  readonly emptyQueries: number;
  /** Judgements of documents that collapsed into one that the query judges as well: the highest grade stays. */
  readonly mergedQrels: number;
  readonly qrelsOfEmptyDocs: number;
  readonly qrelsOfEmptyQueries: number;
  /** Texts with lone surrogates, replaced by U+FFFD. */
  readonly repairedTexts: number;
  readonly droppedDocs: number;
  readonly droppedQueries: number;
  readonly droppedQrels: number;
}
