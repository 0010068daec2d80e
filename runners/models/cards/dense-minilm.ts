import type { DenseCard } from '../card.js';
import { dense } from './dense-defaults.js';
import { hub, weights } from './origins.js';
import { miniLm6, multilingualMiniLm12 } from './shapes.js';

/**
 * Sentence-Transformers. Facts: mteb, `sentence_transformers_models.py`, read 2026-11-30; graphs: downloads pinned at
 * these commits in public projects. The multilingual model's length is the 128 of its own sentence_bert_config.json.
 */
export const miniLmCards: readonly DenseCard[] = [
  {
    ...dense,
    id: 'all-minilm-l6-v2',
    summary: 'Small English model of Sentence-Transformers, the usual first baseline',
    origin: hub('Xenova/all-MiniLM-L6-v2', '751bff37182d3f1213fa05d7196b954e230abad9'),
    files: { fp32: 'onnx/model.onnx', int8: 'onnx/model_quantized.onnx' },
    maxLength: 256,
    pooling: 'mean',
    dims: 384,
    parameters: weights(22_713_216, 11_720_448),
    architecture: miniLm6,
    licence: 'Apache-2.0',
    paper: 'arXiv:1908.10084',
  },
  {
    ...dense,
    id: 'paraphrase-multilingual-minilm-l12-v2',
    summary: 'Small multilingual model of Sentence-Transformers, for paraphrases rather than search',
    origin: hub(
      'sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2',
      'e8f8c211226b894fcb81acc59f3b34ba3efd5f42',
    ),
    files: { fp32: 'onnx/model.onnx' },
    maxLength: 128,
    pooling: 'mean',
    dims: 384,
    parameters: weights(117_653_760, 96_014_208),
    architecture: { ...multilingualMiniLm12, vocabulary: 250_037 },
    languages: ['multilingual'],
    licence: 'Apache-2.0',
    paper: 'arXiv:1908.10084',
  },
];
