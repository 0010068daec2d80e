import { type Plugin, wholeNumber } from '../../core/registry.js';
import { exactIndex } from '../kernels/dense-index.js';
import { unitLength } from '../kernels/unit-length.js';
import type { DenseEncoding, Variant } from '../system.js';
import { denseVariant } from './variant.js';

/** Matryoshka truncation (Kusupati et al. 2022): the first dimensions, scaled to unit length again. */
export const truncate: Plugin<Variant> = {
  name: 'truncate',
  summary: 'truncate@D keeps the first D dimensions (default 128), scaled to unit length again',
  bind: (argument = '128') => {
    const kept = wholeNumber('truncate', argument, 1, 65_536);
    return denseVariant({
      id: `truncate@${kept}`,
      refuses: ({ dims }) =>
        kept < dims ? null : `truncate@${kept} cuts nothing off: the vectors have ${dims} dimensions.`,
      change: (encoding) => {
        const shorter = firstDims(encoding, kept);
        const exact = exactIndex(shorter);
        const conditions = { 'truncate.dims': kept, 'truncate.renormalized': true };
        return { encoding: shorter, exact, index: exact, conditions };
      },
    });
  },
};

function firstDims({ dims, docs, queries }: DenseEncoding, kept: number): DenseEncoding {
  const cut = (vectors: Float32Array) => {
    const shorter = new Float32Array((vectors.length / dims) * kept);
    for (let from = 0, to = 0; from < vectors.length; from += dims, to += kept) {
      shorter.set(vectors.subarray(from, from + kept), to);
    }
    return unitLength(shorter, kept);
  };
  return { kind: 'dense', dims: kept, docs: cut(docs), queries: cut(queries) };
}
