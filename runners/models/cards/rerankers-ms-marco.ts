import type { RerankerCard } from '../card.js';
import { hub, weights } from './origins.js';
import { crossEncoder } from './reranker-defaults.js';
import { bertTiny, miniLm2, miniLm4, miniLm6, miniLm12, multilingualMiniLm12 } from './shapes.js';

const msMarco = { ...crossEncoder, licence: 'Apache-2.0', paper: 'arXiv:1908.10084' } as const;

/**
 * Cross-encoders of Sentence-Transformers. Facts: mteb, `rerankers_custom.py`, and hakari-bench's cards, read 2026-11-30;
 * graphs: downloads pinned at these commits, most with their digests, in public projects.
 */
export const msMarcoCards: readonly RerankerCard[] = [
  {
    ...msMarco,
    id: 'ms-marco-tinybert-l-2-v2',
    summary: 'English cross-encoder for MS MARCO, two layers of 128',
    origin: hub('Xenova/ms-marco-TinyBERT-L-2-v2', 'b76bb5e1fefd66aa36cd108622d768e86c015ff1'),
    files: { int8: 'onnx/model_quantized.onnx' },
    parameters: weights(4_386_049, 3_906_816),
    architecture: bertTiny,
  },
  {
    ...msMarco,
    id: 'ms-marco-minilm-l-2-v2',
    summary: 'English cross-encoder for MS MARCO, two layers',
    origin: hub('Xenova/ms-marco-MiniLM-L-2-v2', 'b84c4fa7efd7b4801931e75773c940f002a494f5'),
    files: { fp32: 'onnx/model.onnx' },
    parameters: weights(15_615_745, 11_720_448),
    architecture: miniLm2,
  },
  {
    ...msMarco,
    id: 'ms-marco-minilm-l-4-v2',
    summary: 'English cross-encoder for MS MARCO, four layers',
    origin: hub('Xenova/ms-marco-MiniLM-L-4-v2', 'e8fdba61d478d042b338f7bcf7ba4e48ed7d46d7'),
    files: { fp32: 'onnx/model.onnx' },
    parameters: weights(19_164_673, 11_720_448),
    architecture: miniLm4,
  },
  {
    ...msMarco,
    id: 'ms-marco-minilm-l-6-v2',
    summary: 'English cross-encoder for MS MARCO, six layers, the usual first baseline',
    origin: hub('Xenova/ms-marco-MiniLM-L-6-v2', 'a09144355adeed5f58c8ed011d209bf8ee5a1fec'),
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_quantized.onnx' },
    parameters: weights(22_713_601, 11_720_448),
    architecture: miniLm6,
  },
  {
    ...msMarco,
    id: 'ms-marco-minilm-l-12-v2',
    summary: 'English cross-encoder for MS MARCO, twelve layers',
    origin: hub('Xenova/ms-marco-MiniLM-L-12-v2', '42a4a787e30451cf9dbd09080c2a5b8dde332c1e'),
    files: { fp32: 'onnx/model.onnx' },
    parameters: weights(33_360_385, 11_720_448),
    architecture: miniLm12,
  },
  {
    ...msMarco,
    id: 'mmarco-mminilmv2-l12-h384-v1',
    summary: 'Multilingual cross-encoder for MS MARCO in 14 languages',
    origin: hub('cross-encoder/mmarco-mMiniLMv2-L12-H384-v1', '1427fd652930e4ba29e8149678df786c240d8825'),
    files: { fp32: 'onnx/model.onnx' },
    parameters: weights(117_641_089, 96_000_768),
    architecture: multilingualMiniLm12,
    languages: ['multilingual'],
    paper: 'arXiv:2108.13897',
  },
];
