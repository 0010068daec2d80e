import { type Plugin, wholeNumber } from '../../core/registry.js';
import { exactIndex } from '../kernels/dense-index.js';
import { unitLength } from '../kernels/unit-length.js';
import type { DenseEncoding, Variant } from '../system.js';
import { vectorVariant } from './late-dispatch.js';
import { lateTruncate } from './late-truncate.js';
import { firstDims } from './truncate-rows.js';
import { denseVariant } from './variant.js';

/** Matryoshka truncation (Kusupati et al. 2022): the first dimensions, scaled to unit length again. */
export const truncate: Plugin<Variant> = {
  name: 'truncate',
  summary: 'truncate@D keeps the first D dimensions (default 128) of each vector, scaled to unit length again',
  bind: (argument = '128') => {
    const kept = wholeNumber('truncate', argument, 1, 65_536);
    return vectorVariant(denseTruncate(kept), lateTruncate(kept));
  },
};

function denseTruncate(kept: number): Variant {
  return denseVariant({
    id: `truncate@${kept}`,
    looksAt: 'documents',
    refuses: ({ dims }) =>
      kept < dims ? null : `truncate@${kept} cuts nothing off: the vectors have ${dims} dimensions.`,
    change: (encoding) => {
      const shorter = shortened(encoding, kept);
      const exact = exactIndex(shorter);
      const conditions = { 'truncate.dims': kept, 'truncate.renormalized': encoding.similarity === 'cosine' };
      return { encoding: shorter, exact, index: exact, conditions };
    },
  });
}

/** Where the length of a vector means something (dot product), it is left as the cut leaves it. */
function shortened({ dims, similarity, docs, queries }: DenseEncoding, kept: number): DenseEncoding {
  const cut = (vectors: Float32Array) => {
    const shorter = firstDims(vectors, dims, kept);
    return similarity === 'cosine' ? unitLength(shorter, kept) : shorter;
  };
  return { kind: 'dense', dims: kept, similarity, docs: cut(docs), queries: cut(queries) };
}
