import { tableWork } from '../cost/retrieval.js';
import { projectRows } from '../kernels/sparse-matrix-project.js';
import { termMatrices } from '../kernels/sparse-matrix-terms.js';
import { truncatedSvd } from '../kernels/svd.js';
import type { BackendOutput, Engine, Texts } from '../system.js';
import { rowLengths } from './lsa-terms.js';

/**
 * More iterations come nearer to the true singular vectors and rank worse: mean nDCG@10 of six collections and four
 * seeds is 0.404 with one, 0.395 with two, 0.392 with three. What one leaves unfinished still tells rare words apart.
 */
const powerIterations = 1;
const oversampling = 10;

/**
 * Latent semantic analysis of the documents at hand, by a seeded randomized SVD: U·Σ of their tf-idf matrix; queries
 * are folded in as q·V.
 */
export function encodeLsa(texts: Texts, dims: number, engine: Engine): BackendOutput {
  const { docs, queries } = termMatrices(texts, engine.analyzer);
  const { right } = truncatedSvd(docs, { rank: dims, oversampling, powerIterations, seed: engine.seed });
  const rank = right.stride;
  // The projection counts, and is used, as float32: what a file of it would hold.
  for (let i = 0; i < right.data.length; i++) right.data[i] = Math.fround(right.data[i]);
  return {
    encoding: {
      kind: 'dense',
      dims,
      similarity: 'cosine',
      docs: projectRows(docs, right, dims),
      queries: projectRows(queries, right, dims),
    },
    encodeWork: rowLengths(queries.rows).map((terms) => tableWork(terms, rank)),
    modelBytes: 4 * right.data.length,
    conditions: {
      analyzer: engine.analyzer.id,
      analyzerVersion: engine.analyzer.version,
      'lsa.weighting': '(1 + ln tf) · ln((N + 1) / df), rows of unit length',
      'lsa.terms': docs.columns,
      'lsa.dims': dims,
      // Fewer than dims where the documents have less to tell apart; the dimensions beyond are zero.
      'lsa.rank': rank,
      'lsa.svd': `randomized, oversampling ${oversampling}, power iterations ${powerIterations}, seed ${engine.seed}`,
    },
  };
}
