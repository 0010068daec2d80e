import type { Candidates, Judgements, NanoSet } from '../tasks/types.js';

/** Ranks at which candidate recall is read. */
export const recallDepths = [1, 5, 10, 20, 50, 100, 500] as const;

/** Depth → mean share of a query's positives among the first rows. */
export type RecallByDepth = Readonly<Record<string, number>>;

export interface CandidateRecall {
  readonly withForced: RecallByDepth;
  readonly withoutForced: RecallByDepth;
}

/** Recall of every pool at every depth, over queries with a positive: the ceiling of any reranker of that pool. */
export function candidateRecall({ pools, judged }: NanoSet): Readonly<Record<string, CandidateRecall>> {
  return Object.fromEntries(
    [...pools].map(([name, pool]) => {
      const recall = (rows: 'all' | 'unforced') =>
        Object.fromEntries(recallDepths.map((depth) => [depth, meanRecall(judged, pool, depth, rows)]));
      return [name, { withForced: recall('all'), withoutForced: recall('unforced') }];
    }),
  );
}

function meanRecall(
  judged: Judgements,
  pool: ReadonlyMap<string, Candidates>,
  depth: number,
  rows: 'all' | 'unforced',
): number {
  const shares = [...judged].flatMap(([query, grades]) => {
    const positives = new Set([...grades].flatMap(([doc, grade]) => (grade > 0 ? [doc] : [])));
    const { docs = [], forced = [] } = pool.get(query) ?? {};
    const dropped = new Set(rows === 'unforced' ? forced : []);
    const first = docs.filter((doc) => !dropped.has(doc)).slice(0, depth);
    return positives.size === 0 ? [] : [first.filter((doc) => positives.has(doc)).length / positives.size];
  });
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
