import type { Plugin } from '../../core/registry.js';
import type { LexicalModel, LexicalWeighting } from '../system.js';
import { analyzerField, analyzerParameter } from './analyzer-parameter.js';
import { readParameters } from './parameters.js';

/**
 * Query likelihood with a Dirichlet prior (Zhai and Lafferty, SIGIR 2001), in the form that needs matching terms only:
 *
 *     Σ_t ln(1 + tf / (mu · cf/C)) + |q| · ln(mu / (L + mu))
 *
 * with tf occurrences of t in a document of length L, cf of C in the collection, over the query's terms that the
 * collection holds, |q| of them. A term that no document holds has no likelihood anywhere and is left out.
 *
 * mu 2000 is where that paper finds the optimum over TREC collections to lie most often, and the default of Lucene.
 */
function dirichlet(mu: number): LexicalWeighting {
  return {
    weigh: ({ totalLength }) => ({
      weight: ({ collectionFrequency }, tf) => Math.log1p((tf * totalLength) / (mu * collectionFrequency)),
      bias: (length) => Math.log(mu / (length + mu)),
    }),
  };
}

export const qlDirichlet: Plugin<LexicalModel> = {
  name: 'ql-dirichlet',
  summary: 'Query likelihood with Dirichlet smoothing: ql-dirichlet@mu=2000,analyzer=…',
  bind: (argument) => {
    const { values, id } = readParameters('ql-dirichlet', argument, {
      mu: { kind: 'number', fallback: 2000, min: 0.001, max: 1_000_000 },
      analyzer: analyzerParameter,
    });
    return {
      kind: 'lexical',
      family: 'lexical',
      id,
      summary: `Query likelihood with Dirichlet smoothing, mu ${values.mu}`,
      weighting: dirichlet(values.mu),
      ...analyzerField(values.analyzer),
    };
  },
};
