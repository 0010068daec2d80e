import { sparseDotWork } from '../cost/retrieval.js';
import { invertedIndex } from '../kernels/inverted-index.js';
import { transposed } from '../kernels/sparse-rows.js';
import type { Index, SparseEncoding } from '../system.js';

/**
 * Exact search over sparse rows by the inverted index that lexical systems use. `sharedBytes` is what a search needs
 * besides and all documents share. It holds the postings; the rows of documents are not needed again.
 */
export function sparseIndex(encoding: SparseEncoding, sharedBytes: number): Index {
  const { docs, queries, termCount, docBias, origin } = encoding;
  return invertedIndex({
    docCount: docs.offsets.length - 1,
    postings: transposed(docs, termCount),
    queries,
    docBias,
    sharedBytes,
    ...(origin === 'lexical' ? {} : { workOf: sparseDotWork }),
  });
}
