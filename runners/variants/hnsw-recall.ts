import type { Index } from '../system.js';

/**
 * Mean over the queries that find anything of the share of the best k (or of all documents, if fewer) that an index
 * finds as well; a document tied with the k-th counts as well as that. Costs an exact search for each query.
 */
export async function recallAgainst(exact: Index, found: Index, queries: number, k: number): Promise<number> {
  let sum = 0;
  let counted = 0;
  for (let query = 0; query < queries; query++) {
    const { scores } = await exact.search(query, k);
    if (scores.length === 0) continue;
    const wanted = Math.min(k, scores.length);
    const least = scores[wanted - 1];
    const hits = await found.search(query, k);
    sum += Math.min(wanted, hits.scores.filter((score) => score >= least).length) / wanted;
    counted++;
  }
  return counted === 0 ? 1 : sum / counted;
}
