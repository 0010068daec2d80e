import type { RerankerCard } from '../card.js';
import { hub, weights } from './origins.js';
import { qwen2Small, qwen3Small } from './shapes.js';

const languageModel = {
  family: 'reranker',
  method: 'yes-no',
  labels: 1,
  languages: ['multilingual'],
  verified: false,
} as const;

/**
 * Language models that were trained to answer whether a document fits. Facts: hakari-bench's cards and the models' own
 * calling code as public projects have it, read 2026-11-30. Their repositories have no ONNX graph.
 */
export const languageModelCards: readonly RerankerCard[] = [
  {
    ...languageModel,
    id: 'qwen3-reranker-0.6b',
    summary: 'Multilingual reranker of Qwen that answers yes or no; no ONNX graph in its repository',
    origin: hub('Qwen/Qwen3-Reranker-0.6B', 'e61197ed45024b0ed8a2d74b80b4d909f1255473'),
    files: {},
    maxLength: 40_960,
    template:
      '<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct ' +
      'provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n' +
      '<Instruct>: Given a web search query, retrieve relevant passages that answer the query\n' +
      '<Query>: {query}\n<Document>: {document}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n',
    words: { yes: 'yes', no: 'no' },
    parameters: weights(595_776_512, 155_309_056),
    architecture: qwen3Small,
    licence: 'Apache-2.0',
    paper: 'arXiv:2506.05176',
  },
  {
    ...languageModel,
    id: 'mxbai-rerank-base-v2',
    summary: 'Multilingual reranker of Mixedbread that answers 1 or 0; no ONNX graph in its repository',
    origin: hub('mixedbread-ai/mxbai-rerank-base-v2', '3ea9d4dffa7d12a4f366be8e275c349de9fc9865'),
    files: {},
    maxLength: 32_768,
    template:
      '<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n' +
      '<|im_start|>user\nquery: {query}\ndocument: {document}\nYou are a search relevance expert who evaluates how well ' +
      'documents match search queries. For each query-document pair, carefully analyze the semantic relationship ' +
      'between them, then provide your binary relevance judgment (0 for not relevant, 1 for relevant).\nRelevance:' +
      '<|im_end|>\n<|im_start|>assistant\n',
    words: { yes: '1', no: '0' },
    parameters: weights(494_032_768, 136_134_656),
    architecture: qwen2Small,
    licence: 'Apache-2.0',
  },
];
