import { type Plugin, wholeNumber } from '../../core/registry.js';
import { encodeLsa } from '../backends/lsa.js';
import type { Model } from '../system.js';

const defaultDims = 256;

/** Latent semantic analysis (Deerwester et al. 1990): dense vectors without a download, @DIMENSIONS. */
export const lsa: Plugin<Model> = {
  name: 'lsa',
  summary: 'dense without a download: truncated SVD of the tf-idf matrix, queries folded in; lsa@DIMS, 2 to 1024',
  bind: (argument = String(defaultDims)) => {
    const dims = wholeNumber('lsa', argument, 2, 1024);
    return {
      kind: 'fitted',
      family: 'dense',
      id: `lsa@${dims}`,
      summary: `truncated SVD of the tf-idf matrix in ${dims} dimensions`,
      encode: (texts, engine) => encodeLsa(texts, dims, engine),
    };
  },
};
