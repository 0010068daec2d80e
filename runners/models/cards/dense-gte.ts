import type { DenseCard } from '../card.js';
import { dense } from './dense-defaults.js';
import { hub, weights } from './origins.js';
import { bertLarge, gteMultilingual, miniLm12, modernBertBase } from './shapes.js';

/**
 * Alibaba, GTE. Facts: mteb, `gte_models.py`, and for the first two fastembed's list of models, read 2026-11-30; graphs:
 * downloads pinned at these commits in public projects.
 */
export const gteCards: readonly DenseCard[] = [
  {
    ...dense,
    id: 'gte-small',
    summary: 'English GTE model, small',
    origin: hub('Xenova/gte-small', '5927d1727bb12db490052a1b33265ad78058de08'),
    files: { int8: 'onnx/model_quantized.onnx' },
    maxLength: 512,
    pooling: 'mean',
    dims: 384,
    parameters: weights(33_360_000, 11_720_448),
    architecture: miniLm12,
    licence: 'MIT',
    paper: 'arXiv:2308.03281',
  },
  {
    ...dense,
    id: 'gte-large',
    summary: 'English GTE model, large',
    origin: hub('Xenova/gte-large', '06a8d51d496ebe830042b7323a904b4da81ac500'),
    files: { int8: 'onnx/model_quantized.onnx' },
    maxLength: 512,
    pooling: 'mean',
    dims: 1024,
    parameters: weights(335_141_888, 31_254_528),
    architecture: bertLarge,
    licence: 'MIT',
    paper: 'arXiv:2308.03281',
  },
  {
    ...dense,
    id: 'gte-modernbert-base',
    summary: 'English GTE model over ModernBERT, for long texts',
    origin: hub('Alibaba-NLP/gte-modernbert-base', 'e7f32e3c00f91d699e8c43b53106206bcc72bb22'),
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_int8.onnx' },
    maxLength: 8192,
    pooling: 'cls',
    dims: 768,
    parameters: weights(149_014_272, 38_682_624),
    architecture: modernBertBase,
    licence: 'Apache-2.0',
    paper: 'arXiv:2308.03281',
  },
  {
    ...dense,
    id: 'gte-multilingual-base',
    summary: 'Multilingual GTE model, for long texts',
    origin: hub('onnx-community/gte-multilingual-base', '2edbf5e672aab465f9ed4c154a8b61791c082c69'),
    files: { fp32: 'onnx/model.onnx', fp16: 'onnx/model_fp16.onnx' },
    maxLength: 8192,
    pooling: 'cls',
    dims: 768,
    parameters: weights(305_368_320, 192_036_864),
    architecture: gteMultilingual,
    languages: ['multilingual'],
    licence: 'Apache-2.0',
    paper: 'arXiv:2407.19669',
  },
];
