import { namedPlugin } from './named-model.js';
import { readRelevance, rerankLimits } from './relevance.js';
import { pairScorer, type RerankApi } from './scorer.js';

/** POST /v2/rerank. */
export const cohere = namedPlugin({
  name: 'cohere',
  summary: 'rerankers of Cohere, or of a server that speaks its form (COHERE_BASE_URL)',
  limits: () => rerankLimits,
  truncation: 'by Cohere, to the max_tokens_per_doc of its own choice',
  model: (model) => ({
    kind: { family: 'reranker' },
    open: (session, access) => pairScorer(session, rerank(model), access),
  }),
});

/** Cohere refuses fields that it does not document, so nothing more is sent. */
function rerank(model: string): RerankApi {
  return {
    path: '/v2/rerank',
    body: (query, documents) => ({ model, query, documents, top_n: documents.length }),
    read: readRelevance,
  };
}
