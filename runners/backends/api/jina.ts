import { namedPlugin } from './named-model.js';
import { readRelevance, rerankLimits } from './relevance.js';
import { pairScorer, type RerankApi } from './scorer.js';

/** POST /rerank. */
export const jina = namedPlugin({
  name: 'jina',
  summary: 'rerankers of Jina, or of a server that speaks its form, such as vLLM (JINA_BASE_URL)',
  limits: () => rerankLimits,
  truncation: 'as Jina does it for the model',
  model: (model) => ({
    kind: { family: 'reranker' },
    open: (session, access) => pairScorer(session, rerank(model), access),
  }),
});

function rerank(model: string): RerankApi {
  return {
    path: '/rerank',
    body: (query, documents) => ({ model, query, documents, top_n: documents.length, return_documents: false }),
    read: readRelevance,
  };
}
