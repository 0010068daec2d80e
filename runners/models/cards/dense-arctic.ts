import type { DenseCard } from '../card.js';
import { dense } from './dense-defaults.js';
import { hub, weights } from './origins.js';
import { bertBase, bertLarge, gteMultilingual, miniLm6, miniLm12, nomicBert, xlmRobertaLarge } from './shapes.js';

const first = {
  ...dense,
  maxLength: 512,
  pooling: 'cls',
  prompts: { query: 'Represent this sentence for searching relevant passages: ', document: '' },
  licence: 'Apache-2.0',
  paper: 'arXiv:2405.05374',
} as const;

const second = {
  ...first,
  maxLength: 8192,
  prompts: { query: 'query: ', document: '' },
  languages: ['multilingual'],
  paper: 'arXiv:2412.04506',
} as const;

/**
 * Snowflake, Arctic Embed. Facts: mteb, `arctic_models.py`, and hakari-bench's cards, read 2026-11-30; graphs: downloads
 * pinned at these commits in public projects. The Matryoshka lengths are those of the papers.
 */
export const arcticCards: readonly DenseCard[] = [
  {
    ...first,
    id: 'snowflake-arctic-embed-xs',
    summary: 'English Arctic Embed, extra small',
    origin: hub('Snowflake/snowflake-arctic-embed-xs', 'd8c86521100d3556476a063fc2342036d45c106f'),
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_int8.onnx' },
    dims: 384,
    parameters: weights(22_713_216, 11_720_448),
    architecture: miniLm6,
  },
  {
    ...first,
    id: 'snowflake-arctic-embed-s',
    summary: 'English Arctic Embed, small',
    origin: hub('Snowflake/snowflake-arctic-embed-s', 'e596f507467533e48a2e17c007f0e1dacc837b33'),
    files: { int8: 'onnx/model_int8.onnx' },
    dims: 384,
    parameters: weights(33_360_000, 11_720_448),
    architecture: miniLm12,
  },
  {
    ...first,
    id: 'snowflake-arctic-embed-m',
    summary: 'English Arctic Embed, medium',
    origin: hub('Snowflake/snowflake-arctic-embed-m', 'fc74610d18462d218e312aa986ec5c8a75a98152'),
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_quantized.onnx' },
    dims: 768,
    parameters: weights(109_482_240, 23_440_896),
    architecture: bertBase,
  },
  {
    ...first,
    id: 'snowflake-arctic-embed-m-long',
    summary: 'English Arctic Embed, medium, for longer texts',
    origin: hub('Snowflake/snowflake-arctic-embed-m-long', '92d97331f1f4b6a366c1f161354b9f3390cc219f'),
    files: { fp32: 'onnx/model.onnx' },
    maxLength: 2048,
    dims: 768,
    parameters: weights(136_731_648, 23_445_504),
    architecture: nomicBert,
  },
  {
    ...first,
    id: 'snowflake-arctic-embed-l',
    summary: 'English Arctic Embed, large',
    origin: hub('Snowflake/snowflake-arctic-embed-l', 'd8fb21ca8d905d2832ee8b96c894d3298964346b'),
    files: { int8: 'onnx/model_quantized.onnx' },
    dims: 1024,
    parameters: weights(335_141_888, 31_254_528),
    architecture: bertLarge,
  },
  {
    ...first,
    id: 'snowflake-arctic-embed-m-v1.5',
    summary: 'English Arctic Embed, medium, trained to be cut to 256',
    origin: hub('Snowflake/snowflake-arctic-embed-m-v1.5', 'e58a8f756156a1293d763f17e3aae643474e9b8a'),
    files: { int8: 'onnx/model_int8.onnx' },
    dims: 768,
    matryoshkaDims: [256, 768],
    parameters: weights(109_482_240, 23_440_896),
    architecture: bertBase,
    paper: 'arXiv:2407.18887',
  },
  {
    ...second,
    id: 'snowflake-arctic-embed-m-v2.0',
    summary: 'Multilingual Arctic Embed, medium, trained to be cut to 256',
    origin: hub('Snowflake/snowflake-arctic-embed-m-v2.0', '95c2741480856aa9666782eb4afe11959938017f'),
    files: { fp32: 'onnx/model.onnx', fp16: 'onnx/model_fp16.onnx', int8: 'onnx/model_int8.onnx' },
    dims: 768,
    matryoshkaDims: [256, 768],
    parameters: weights(305_368_320, 192_036_864),
    architecture: gteMultilingual,
  },
  {
    ...second,
    id: 'snowflake-arctic-embed-l-v2.0',
    summary: 'Multilingual Arctic Embed, large, trained to be cut to 256',
    origin: hub('Snowflake/snowflake-arctic-embed-l-v2.0', 'ac6544c8a46e00af67e330e85a9028c66b8cfd9a'),
    files: { int8: 'onnx/model_quantized.onnx' },
    dims: 1024,
    matryoshkaDims: [256, 1024],
    parameters: weights(567_754_752, 256_002_048),
    architecture: xlmRobertaLarge,
  },
];
