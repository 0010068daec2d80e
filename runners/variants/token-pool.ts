import { type Plugin, wholeNumber } from '../../core/registry.js';
import { meanRowLength } from '../families/row-offsets.js';
import { maxSimIndex } from '../kernels/max-sim-index.js';
import { unitLength } from '../kernels/unit-length.js';
import type { LateInteractionEncoding, TokenRows, Variant } from '../system.js';
import { wardClusters } from './token-pool-clusters.js';
import { lateVariant } from './variant.js';

/** Vectors at the start of a document that stay as they are: the special token and what stands for the whole text. */
const protectedRows = 1;

/**
 * Token pooling (Clavié, Chaffin and Adams 2024, arXiv 2409.14683): the token vectors of a document are clustered, and
 * each cluster becomes the mean of its vectors, scaled to unit length again. As in PyLate the first vector stays by
 * itself; the other n become ⌈n/F⌉. Clusters are of the vectors themselves (PyLate clusters rows of their distances).
 */
export const pool: Plugin<Variant> = {
  name: 'pool',
  summary:
    'pool@F clusters the token vectors of each document into one F-th of them (default 2), by Ward’s method; ' +
    'the first stays by itself',
  bind: (argument = '2') => {
    const factor = wholeNumber('pool', argument, 2, 1000);
    return lateVariant({
      id: `pool@${factor}`,
      looksAt: 'documents',
      change: (encoding) => {
        const docs = pooledRows(encoding, factor);
        const pooled: LateInteractionEncoding = { ...encoding, docs };
        const exact = maxSimIndex(pooled);
        return { encoding: pooled, exact, index: exact, conditions: conditionsOf(factor, docs) };
      },
    });
  },
};

function conditionsOf(factor: number, docs: TokenRows) {
  return {
    'pool.factor': factor,
    'pool.clusters': 'Ward’s method on the vectors; means scaled to unit length',
    'pool.protected': protectedRows,
    'pool.meanVectorsDocs': meanRowLength(docs.offsets),
  };
}

function pooledRows({ dims, docs: { offsets, vectors } }: LateInteractionEncoding, factor: number): TokenRows {
  const newOffsets = new Int32Array(offsets.length);
  for (let doc = 0; doc < offsets.length - 1; doc++) {
    newOffsets[doc + 1] = newOffsets[doc] + pooledCount(offsets[doc + 1] - offsets[doc], factor);
  }
  const pooled = new Float32Array(newOffsets[offsets.length - 1] * dims);
  for (let doc = 0; doc < offsets.length - 1; doc++) {
    const rows = vectors.subarray(offsets[doc] * dims, offsets[doc + 1] * dims);
    const first = newOffsets[doc] * dims;
    const rest = first + Math.min(protectedRows * dims, rows.length);
    pooled.set(rows.subarray(0, rest - first), first);
    pooled.set(clusterMeans(rows.subarray(rest - first), dims, newOffsets[doc + 1] - rest / dims), rest);
  }
  return { offsets: newOffsets, vectors: pooled };
}

function pooledCount(rows: number, factor: number): number {
  return rows <= protectedRows ? rows : protectedRows + Math.ceil((rows - protectedRows) / factor);
}

/** `count` rows of unit length; rows as they are where there are no more than that. */
function clusterMeans(rows: Float32Array, dims: number, count: number): Float32Array {
  if (rows.length <= count * dims) return rows;
  // Sums point where means do.
  const sums = new Float64Array(count * dims);
  wardClusters(rows, dims, count).forEach((cluster, row) => {
    for (let j = 0; j < dims; j++) sums[cluster * dims + j] += rows[row * dims + j];
  });
  return unitLength(Float32Array.from(sums), dims);
}
