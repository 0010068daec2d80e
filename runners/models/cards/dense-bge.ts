import type { DenseCard } from '../card.js';
import { dense } from './dense-defaults.js';
import { hub, weights } from './origins.js';
import { bertBase, bertLarge, miniLm12, xlmRobertaLarge } from './shapes.js';

const bge = {
  ...dense,
  maxLength: 512,
  pooling: 'cls',
  prompts: { query: 'Represent this sentence for searching relevant passages: ', document: '' },
  licence: 'MIT',
  paper: 'arXiv:2309.07597',
} as const;

/**
 * BAAI. Facts: mteb, `bge_models.py`, and hakari-bench's cards, read 2026-11-30; graphs: downloads pinned at these
 * commits, most with their digests, in public projects.
 */
export const bgeCards: readonly DenseCard[] = [
  {
    ...bge,
    id: 'bge-small-en-v1.5',
    summary: 'English model of BAAI, small',
    origin: hub('Xenova/bge-small-en-v1.5', 'ea104dacec62c0de699686887e3f920caeb4f3e3'),
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_quantized.onnx' },
    dims: 384,
    parameters: weights(33_360_000, 11_720_448),
    architecture: miniLm12,
  },
  {
    ...bge,
    id: 'bge-base-en-v1.5',
    summary: 'English model of BAAI, base',
    origin: hub('Xenova/bge-base-en-v1.5', '4d6cd88e18e51a5e020c2c305726d76ada9c03cf'),
    files: { fp32: 'onnx/model.onnx' },
    dims: 768,
    parameters: weights(109_482_240, 23_440_896),
    architecture: bertBase,
  },
  {
    ...bge,
    id: 'bge-large-en-v1.5',
    summary: 'English model of BAAI, large',
    origin: hub('Qdrant/bge-large-en-v1.5-onnx', 'dc76b2c078fc38f0d243233d0ab0b51de925557e'),
    files: { fp32: 'model.onnx' },
    dims: 1024,
    parameters: weights(335_141_888, 31_254_528),
    architecture: bertLarge,
  },
  {
    ...bge,
    id: 'bge-m3',
    summary: 'Multilingual model of BAAI with long texts; its dense vectors only',
    origin: hub('BAAI/bge-m3', '5617a9f61b028005a4858fdac845db406aefb181'),
    files: { fp32: 'onnx/model.onnx' },
    maxLength: 8192,
    prompts: dense.prompts,
    dims: 1024,
    parameters: weights(567_754_752, 256_002_048),
    architecture: xlmRobertaLarge,
    languages: ['multilingual'],
    paper: 'arXiv:2402.03216',
  },
];
