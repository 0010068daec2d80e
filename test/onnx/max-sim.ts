import type { TokenVectors } from '../../runners/open-model.js';

/** Σ over query vectors of the greatest dot product, queries by documents, by the definition. */
export function maxSim(queries: TokenVectors, documents: TokenVectors): number[][] {
  const dims = queries.dims;
  const rows = ({ offsets, vectors }: TokenVectors, text: number) =>
    Array.from({ length: offsets[text + 1] - offsets[text] }, (_, i) => {
      const at = (offsets[text] + i) * dims;
      return vectors.subarray(at, at + dims);
    });
  const texts = ({ offsets }: TokenVectors) => Array.from({ length: offsets.length - 1 }, (_, text) => text);
  return texts(queries).map((query) =>
    texts(documents).map((document) => {
      const candidates = rows(documents, document);
      return rows(queries, query).reduce((sum, a) => {
        const dots = candidates.map((b) => a.reduce((dot, value, i) => dot + value * b[i], 0));
        return sum + Math.max(...dots);
      }, 0);
    }),
  );
}
