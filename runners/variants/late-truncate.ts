import { maxSimIndex } from '../kernels/max-sim-index.js';
import { unitLength } from '../kernels/unit-length.js';
import type { TokenRows, Variant } from '../system.js';
import { firstDims } from './truncate-rows.js';
import { lateVariant } from './variant.js';

/** Truncation of every token's vector, scaled to unit length again (HAKARI-Bench leaves it shorter). */
export function lateTruncate(kept: number): Variant {
  return lateVariant({
    id: `truncate@${kept}`,
    looksAt: 'documents',
    refuses: ({ dims }) =>
      kept < dims ? null : `truncate@${kept} cuts nothing off: the vectors have ${dims} dimensions.`,
    change: ({ dims, docs, queries }) => {
      const cut = ({ offsets, vectors }: TokenRows): TokenRows => ({
        offsets,
        vectors: unitLength(firstDims(vectors, dims, kept), kept),
      });
      const encoding = { kind: 'late-interaction', dims: kept, docs: cut(docs), queries: cut(queries) } as const;
      const exact = maxSimIndex(encoding);
      const conditions = { 'truncate.dims': kept, 'truncate.renormalized': true };
      return { encoding, exact, index: exact, conditions };
    },
  });
}
