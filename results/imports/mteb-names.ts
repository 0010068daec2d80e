/** MTEB's measures (theirs → ours), written with a cut-off (`ndcg_at_10` is `nDCG@10`), in its order. */
export const mtebNames: ReadonlyMap<string, string> = new Map([
  ['ndcg', 'nDCG'],
  ['map', 'AP'],
  ['recall', 'R'],
  ['precision', 'P'],
  ['mrr', 'RR'],
  ['hit_rate', 'Success'],
]);
