import type { Json } from '../../../core/canonical.js';
import type { DocId, QueryId } from '../../../core/ids.js';
import { byCodePoint } from '../../../core/order.js';
import type { Judgements, Ranking } from '../../../tasks/types.js';

/** Where a system stands in HAKARI-Bench: a model that searches, or one that orders the candidates of the hybrid pool. */
export interface Placed {
  readonly model: string;
  readonly pool: { readonly name: string; readonly depth: number } | null;
  readonly scoreName: string;
}

export function placeOf(system: string): Placed {
  const [, model, depth] = /^hybrid > (.+)@(\d+)$/s.exec(system) ?? [];
  if (model === undefined || model.includes(' > ')) return { model: system, pool: null, scoreName: 'score' };
  const pool = { name: `reranking_hybrid_top_${depth}`, depth: Number(depth) };
  return { model, pool, scoreName: `score_reranking_hybrid_top${depth}_rerank` };
}

/** Positives are one kind there, and nothing else is judged. */
export function binaryJudgements(judged: Judgements): Judgements {
  return new Map(
    [...judged].map(([query, grades]) => [
      query,
      new Map([...grades].filter(([, grade]) => grade > 0).map(([doc]): [DocId, number] => [doc, 1])),
    ]),
  );
}

const depth = 100;

/** The best 100 ids of each query, without scores, as HAKARI-Bench keeps them: equal scores by document id. */
export function topRankings(
  rankings: ReadonlyMap<QueryId, Ranking>,
  judged: Judgements,
  { pool, scoreName }: Placed,
): { readonly [key: string]: Json } {
  return {
    schema_version: 2,
    generated_at_utc: null,
    top_k: depth,
    qrels: [...judged].map(([query, grades]) => ({ query_id: query, relevant_corpus_ids: [...grades.keys()] })),
    rankings: [...rankings].map(([query, ranking]) => ({
      name: pool === null ? 'base' : pool.name,
      ranking_kind: pool === null ? 'retrieval' : 'candidate_rerank',
      embedding_variant_name: null,
      distance: null,
      score_name: scoreName,
      query_id: query,
      corpus_ids: bestIds(ranking),
      safeguard_policy: null,
      safeguard_corpus_id: null,
    })),
  };
}

function bestIds({ docs, scores }: Ranking): DocId[] {
  return docs
    .map((_, i) => i)
    .sort((a, b) => (scores[a] === scores[b] ? byCodePoint(docs[a], docs[b]) : scores[a] > scores[b] ? -1 : 1))
    .slice(0, depth)
    .map((i) => docs[i]);
}
