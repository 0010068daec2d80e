import type { RerankerCard } from '../card.js';
import { hub, weights } from './origins.js';
import { crossEncoder } from './reranker-defaults.js';
import { gteMultilingual, modernBertBase, xlmRobertaBase, xlmRobertaLarge } from './shapes.js';

const mixedbread = {
  ...crossEncoder,
  licence: 'Apache-2.0',
  paper: 'https://www.mixedbread.ai/blog/mxbai-rerank-v1',
} as const;

const jina = { ...crossEncoder, maxLength: 8192, licence: 'Apache-2.0' } as const;

/**
 * Cross-encoders of BAAI, Jina, Mixedbread and Alibaba. Facts: mteb (`mxbai_models.py`, `rerankers_custom.py`),
 * hakari-bench's cards, and the pins of public projects, read 2026-11-30. Where a source rounds a number
 * of weights, it is that of the layers with their classifier. Mixedbread's attention is DeBERTa's, which the architecture of a card cannot say.
 */
export const otherRerankerCards: readonly RerankerCard[] = [
  {
    ...crossEncoder,
    id: 'bge-reranker-base',
    summary: 'Cross-encoder of BAAI for English and Chinese, base',
    origin: hub('BAAI/bge-reranker-base', '2cfc18c9415c912f9d8155881c133215df768a70'),
    files: { fp32: 'onnx/model.onnx' },
    parameters: weights(278_044_417, 192_001_536),
    architecture: xlmRobertaBase,
    languages: ['en', 'zh'],
    licence: 'MIT',
    paper: 'arXiv:2309.07597',
  },
  {
    ...crossEncoder,
    id: 'bge-reranker-large',
    summary: 'Cross-encoder of BAAI for English and Chinese, large',
    origin: hub('BAAI/bge-reranker-large', '55611d7bca2a7133960a6d3b71e083071bbfc312'),
    files: { fp32: 'onnx/model.onnx' },
    parameters: weights(559_891_457, 256_002_048),
    architecture: xlmRobertaLarge,
    languages: ['en', 'zh'],
    licence: 'MIT',
    paper: 'arXiv:2309.07597',
  },
  {
    ...crossEncoder,
    id: 'bge-reranker-v2-m3',
    summary: 'Multilingual cross-encoder of BAAI for long texts',
    origin: hub('onnx-community/bge-reranker-v2-m3-ONNX', '6f5ff65298512715a1e669753bc754d2bc8f367b'),
    files: { int8: 'onnx/model_quantized.onnx' },
    maxLength: 8192,
    parameters: weights(567_755_777, 256_002_048),
    architecture: xlmRobertaLarge,
    languages: ['multilingual'],
    licence: 'Apache-2.0',
    paper: 'arXiv:2402.03216',
  },
  {
    ...jina,
    id: 'jina-reranker-v1-tiny-en',
    summary: 'English cross-encoder of Jina for long texts, tiny',
    origin: hub('jinaai/jina-reranker-v1-tiny-en', 'aca45de6945b5dc6399abcd2a9c55ded5dc9111f'),
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_int8.onnx' },
  },
  {
    ...jina,
    id: 'jina-reranker-v1-turbo-en',
    summary: 'English cross-encoder of Jina for long texts, small',
    origin: hub('jinaai/jina-reranker-v1-turbo-en', 'b8c14f4e723d9e0aab4732a7b7b93741eeeb77c2'),
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_int8.onnx' },
  },
  {
    ...crossEncoder,
    id: 'jina-reranker-v2-base-multilingual',
    summary: 'Multilingual cross-encoder of Jina, base',
    origin: hub('jinaai/jina-reranker-v2-base-multilingual', '9cfeff2df7d40d1b78e75e5e9cebec92a99813c9'),
    files: { fp32: 'onnx/model.onnx' },
    maxLength: 1024,
    parameters: weights(278_437_633, 192_001_536),
    architecture: xlmRobertaBase,
    languages: ['multilingual'],
    licence: 'CC-BY-NC-4.0',
  },
  {
    ...mixedbread,
    id: 'mxbai-rerank-xsmall-v1',
    summary: 'English cross-encoder of Mixedbread over DeBERTa, extra small',
    origin: hub('mixedbread-ai/mxbai-rerank-xsmall-v1', 'b5c6e9da73abc3711f593f705371cdbe9e0fe422'),
    files: { int8: 'onnx/model_quantized.onnx' },
    parameters: { total: 70_830_337 },
  },
  {
    ...mixedbread,
    id: 'mxbai-rerank-base-v1',
    summary: 'English cross-encoder of Mixedbread over DeBERTa, base',
    origin: hub('mixedbread-ai/mxbai-rerank-base-v1', '800f24c113213a187e65bde9db00c15a2bb12738'),
    files: { fp32: 'onnx/model.onnx' },
    parameters: { total: 184_422_913 },
  },
  {
    ...mixedbread,
    id: 'mxbai-rerank-large-v1',
    summary: 'English cross-encoder of Mixedbread over DeBERTa, large',
    origin: hub('mixedbread-ai/mxbai-rerank-large-v1', '98f655841d5caf0b16eaff79c2b4ca109d920d17'),
    files: { fp32: 'onnx/model.onnx' },
    parameters: { total: 435_062_785 },
  },
  {
    ...crossEncoder,
    id: 'gte-reranker-modernbert-base',
    summary: 'English cross-encoder of Alibaba over ModernBERT, for long texts',
    origin: hub('Alibaba-NLP/gte-reranker-modernbert-base', 'f7481e6055501a30fb19d090657df9ec1f79ab2c'),
    files: { fp32: 'onnx/model.onnx' },
    maxLength: 8192,
    parameters: weights(149_605_633, 38_682_624),
    architecture: modernBertBase,
    licence: 'Apache-2.0',
    paper: 'arXiv:2308.03281',
  },
  {
    ...crossEncoder,
    id: 'gte-multilingual-reranker-base',
    summary: 'Multilingual cross-encoder of Alibaba, for long texts',
    origin: hub('onnx-community/gte-multilingual-reranker-base', 'ee64367e35a2db0da46bb6497e13a18f8bd585cb'),
    files: { int8: 'onnx/model_quantized.onnx' },
    maxLength: 8192,
    parameters: weights(305_959_681, 192_036_864),
    architecture: gteMultilingual,
    languages: ['multilingual'],
    licence: 'Apache-2.0',
    paper: 'arXiv:2407.19669',
  },
];
