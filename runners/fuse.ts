/** Reciprocal rank fusion (Cormack, Clarke & Büttcher, SIGIR 2009): the score of a document is Σ 1/(k + rank). */
export interface Fused {
  /** By descending score, ties by best rank over the lists, then by `places`. */
  readonly docs: Int32Array;
  readonly scores: Float64Array;
}

/**
 * Fuses lists of document positions, best first; ranks start at 1. `places` is a total order over all documents
 * (a keyed hash), the last tie-break.
 */
export function fuse(lists: readonly ArrayLike<number>[], k: number, places: Int32Array): Fused {
  const ranksOf = new Map<number, number[]>();
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      const ranks = ranksOf.get(list[i] as number);
      if (ranks === undefined) ranksOf.set(list[i] as number, [i + 1]);
      else ranks.push(i + 1);
    }
  }
  const rows = [...ranksOf].map(([doc, ranks]) => fusedRow(doc, ranks, k));
  rows.sort((a, b) => b.score - a.score || a.bestRank - b.bestRank || (places[a.doc] ?? 0) - (places[b.doc] ?? 0));
  return { docs: Int32Array.from(rows, (row) => row.doc), scores: Float64Array.from(rows, (row) => row.score) };
}

/** Ranks are added best first, so that equal sets of ranks give equal sums whatever list they came from. */
function fusedRow(doc: number, ranks: number[], k: number) {
  ranks.sort((a, b) => a - b);
  const score = ranks.reduce((sum, rank) => sum + 1 / (k + rank), 0);
  return { doc, score, bestRank: ranks[0] ?? Number.POSITIVE_INFINITY };
}
