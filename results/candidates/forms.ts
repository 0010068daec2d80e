import type { DocId, QueryId } from '../../core/ids.js';
import type { Judgements, Pool, Ranking } from '../../tasks/types.js';
import type { ForcedForm } from './cut.js';

type Rankings = ReadonlyMap<QueryId, Ranking>;

/** The pool in one form: as it is, or with the safeguard's rows taken out and the order of the others kept. */
export function poolIn(pool: Pool, form: ForcedForm): Pool {
  if (form === 'with') return pool;
  return new Map(
    [...pool].map(([query, row]) => [query, { ...withoutDocs(row, new Set(row.forced)), forced: [] }] as const),
  );
}

/**
 * A reranking in one form. Without the forced rows it is what is left of it: for a reranker that scores each document by
 * itself exactly what it would have made of the smaller pool, for one that sees the list as a whole nearly so.
 */
export function rerankingIn(rankings: Rankings, pool: Pool, form: ForcedForm): Rankings {
  if (form === 'with') return rankings;
  return new Map(
    [...rankings].map(([query, ranking]) => [query, withoutDocs(ranking, new Set(pool.get(query)?.forced))] as const),
  );
}

/** The judgements of candidates alone: under them an ideal list is one that the reranker could have given. */
export function judgedAmong(judged: Judgements, pool: Pool): Judgements {
  return new Map(
    [...judged].map(([query, grades]) => {
      const docs = new Set(pool.get(query)?.docs);
      return [query, new Map([...grades].filter(([doc]) => docs.has(doc)))] as const;
    }),
  );
}

function withoutDocs({ docs, scores }: Ranking, out: ReadonlySet<DocId>): Ranking {
  if (out.size === 0) return { docs, scores };
  const kept = [...docs.keys()].filter((row) => !out.has(docs[row]));
  return { docs: kept.map((row) => docs[row]), scores: kept.map((row) => scores[row]) };
}
