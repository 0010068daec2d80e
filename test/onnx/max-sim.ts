import type { TokenVectors } from '../../runners/open-model.js';

/** Σ over query vectors of the greatest dot product, queries by documents, by the definition. */
export function maxSim(queries: TokenVectors, documents: TokenVectors): number[][] {
  const { dims } = queries;
  const texts = ({ offsets }: TokenVectors) => Array.from({ length: offsets.length - 1 }, (_, text) => text);
  const best = (a: number, text: number) => {
    let greatest = Number.NEGATIVE_INFINITY;
    for (let b = documents.offsets[text]; b < documents.offsets[text + 1]; b++) {
      let dot = 0;
      for (let i = 0; i < dims; i++) dot += queries.vectors[a * dims + i] * documents.vectors[b * dims + i];
      greatest = Math.max(greatest, dot);
    }
    return greatest;
  };
  return texts(queries).map((query) =>
    texts(documents).map((document) => {
      let sum = 0;
      for (let a = queries.offsets[query]; a < queries.offsets[query + 1]; a++) sum += best(a, document);
      return sum;
    }),
  );
}
