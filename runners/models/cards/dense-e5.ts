import type { DenseCard } from '../card.js';
import { dense } from './dense-defaults.js';
import { hub, weights } from './origins.js';
import { bertBase, bertLarge, miniLm12, multilingualMiniLm12, xlmRobertaBase, xlmRobertaLarge } from './shapes.js';

const e5 = {
  ...dense,
  maxLength: 512,
  pooling: 'mean',
  prompts: { query: 'query: ', document: 'passage: ' },
  licence: 'MIT',
  paper: 'arXiv:2212.03533',
} as const;

const multilingual = { ...e5, languages: ['multilingual'], paper: 'arXiv:2402.05672' } as const;

/**
 * Microsoft, E5. Facts: mteb, `e5_models.py`, read 2026-11-30 (exact numbers of weights: of models of the same shape
 * there); graphs: downloads pinned at these commits in public projects.
 */
export const e5Cards: readonly DenseCard[] = [
  {
    ...e5,
    id: 'e5-small-v2',
    summary: 'English E5 model, small',
    origin: hub('Xenova/e5-small-v2', '02af79985278377e65c724a76275707cb0333c70'),
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_int8.onnx' },
    dims: 384,
    parameters: weights(33_360_000, 11_720_448),
    architecture: miniLm12,
  },
  {
    ...e5,
    id: 'e5-base-v2',
    summary: 'English E5 model, base',
    origin: hub('intfloat/e5-base-v2', 'f52bf8ec8c7124536f0efb74aca902b2995e5bcd'),
    files: { fp32: 'onnx/model.onnx' },
    dims: 768,
    parameters: weights(109_482_240, 23_440_896),
    architecture: bertBase,
  },
  {
    ...e5,
    id: 'e5-large-v2',
    summary: 'English E5 model, large',
    origin: hub('Xenova/e5-large-v2', '840fd2207f68e253697ed85392a482ff7657ad11'),
    files: { int8: 'onnx/model_quantized.onnx' },
    dims: 1024,
    parameters: weights(335_141_888, 31_254_528),
    architecture: bertLarge,
  },
  {
    ...multilingual,
    id: 'multilingual-e5-small',
    summary: 'Multilingual E5 model, small',
    origin: hub('Xenova/multilingual-e5-small', '761b726dd34fb83930e26aab4e9ac3899aa1fa78'),
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_quantized.onnx' },
    dims: 384,
    parameters: weights(117_653_760, 96_014_208),
    architecture: { ...multilingualMiniLm12, vocabulary: 250_037 },
  },
  {
    ...multilingual,
    id: 'multilingual-e5-base',
    summary: 'Multilingual E5 model, base',
    origin: hub('Xenova/multilingual-e5-base', '1ec9243030a27d1a115d5c340572074c125b58b2'),
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_quantized.onnx' },
    dims: 768,
    parameters: weights(278_043_648, 192_001_536),
    architecture: xlmRobertaBase,
  },
  {
    ...multilingual,
    id: 'multilingual-e5-large',
    summary: 'Multilingual E5 model, large',
    origin: hub('Qdrant/multilingual-e5-large-onnx', '66076b8dc6e367337e3e90e6fb309fb0f3addaf6'),
    files: { fp32: 'model.onnx' },
    dims: 1024,
    parameters: weights(559_890_432, 256_002_048),
    architecture: xlmRobertaLarge,
  },
];
