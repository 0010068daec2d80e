import type { SparseCard } from '../card.js';
import { hub, noPrompts, weights } from './origins.js';
import { bertBase, distilBert, miniLm6 } from './shapes.js';

const splade = {
  family: 'sparse',
  maxLength: 512,
  specialTokens: 'kept',
  queries: 'model',
  logarithms: 1,
  prompts: noPrompts,
  languages: ['en'],
  verified: false,
} as const;

/** Queries are looked up in a table of weights instead of going through the model. */
const openSearch = { ...splade, queries: { idf: 'idf.json' }, licence: 'Apache-2.0' } as const;

/**
 * Learned sparse models. Facts: mteb, `opensearch_neural_sparse_models.py`, hakari-bench's cards, and the pins of public
 * projects, read 2026-11-30. Weights of BERT and DistilBERT with their masked-language-model head: the table that the
 * head shares with the input counts once (published counts of some of them have it twice).
 */
export const sparseCards: readonly SparseCard[] = [
  {
    ...splade,
    id: 'splade_pp_en_v1',
    summary: 'English SPLADE++ under a free licence, by P. Damodaran',
    origin: hub('prithivida/Splade_PP_en_v1', '762be6a7206e2f299182705972a65e5c46e62be2'),
    files: { fp32: 'onnx/model.onnx' },
    parameters: weights(109_514_298, 23_440_896),
    architecture: bertBase,
    licence: 'Apache-2.0',
    paper: 'arXiv:2205.04733',
  },
  {
    ...splade,
    id: 'splade-v3',
    summary: 'English SPLADE of Naver, third version; no ONNX graph in its repository',
    origin: hub('naver/splade-v3', 'fdfeceb91d7b9de7985b38addd3ba9f53a59a355'),
    files: {},
    parameters: weights(109_514_298, 23_440_896),
    architecture: bertBase,
    licence: 'CC-BY-NC-SA-4.0',
    paper: 'arXiv:2403.06789',
  },
  {
    ...openSearch,
    id: 'opensearch-neural-sparse-encoding-doc-v2-mini',
    summary: 'English sparse model of OpenSearch, small; only documents go through the model',
    origin: hub('seerware/opensearch-neural-sparse-encoding-doc-v2-mini', '925b75d04db3ac69dc05881534584078792eb6ea'),
    files: { fp32: 'onnx/fp32/model.onnx' },
    parameters: weights(22_713_216, 11_720_448),
    architecture: miniLm6,
    paper: 'arXiv:2411.04403',
  },
  {
    ...openSearch,
    id: 'opensearch-neural-sparse-encoding-doc-v2-distill',
    summary: 'English sparse model of OpenSearch; only documents go through the model; no ONNX graph in its repository',
    origin: hub(
      'opensearch-project/opensearch-neural-sparse-encoding-doc-v2-distill',
      '8921a26c78b8559d6604eb1f5c0b74c079bee38f',
    ),
    files: {},
    parameters: weights(66_985_530, 23_440_896),
    architecture: distilBert,
    paper: 'arXiv:2411.04403',
  },
  {
    ...openSearch,
    id: 'opensearch-neural-sparse-encoding-doc-v3-distill',
    summary:
      'English sparse model of OpenSearch, third version; only documents go through the model; ' +
      'no ONNX graph in its repository',
    origin: hub(
      'opensearch-project/opensearch-neural-sparse-encoding-doc-v3-distill',
      'babf71f3c48695e2e53a978208e8aba48335e3c0',
    ),
    files: {},
    logarithms: 2,
    parameters: weights(66_985_530, 23_440_896),
    architecture: distilBert,
    paper: 'arXiv:2504.14839',
  },
];
