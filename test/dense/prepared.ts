import { gaussians, mulberry32 } from '../../core/random.js';
import { preparedDense } from '../../runners/families/dense.js';
import type { BackendOutput, Prepared } from '../../runners/system.js';

export interface Vectors {
  readonly dims: number;
  readonly docs: Float32Array;
  readonly queries: Float32Array;
}

export function outputOf(vectors: Vectors): BackendOutput {
  return {
    encoding: { kind: 'dense', similarity: 'cosine', ...vectors },
    encodeWork: { flops: 7 },
    modelBytes: 11,
    conditions: {},
  };
}

/** A dense system of given vectors, as the family makes it. */
export function preparedOf(vectors: Vectors): Prepared {
  const blank = (numbers: Float32Array) => Array.from({ length: numbers.length / vectors.dims }, () => '');
  const texts = { docs: blank(vectors.docs), queries: blank(vectors.queries) };
  return preparedDense(outputOf(vectors), texts, 'given');
}

/** Normal vectors from a seed; every third document is the same as an earlier one, so that there are ties. */
export function randomVectors(docCount: number, dims: number, seed = 5): Vectors {
  const normal = gaussians(mulberry32(seed));
  const docs = new Float32Array(docCount * dims).map(normal);
  const queries = new Float32Array(4 * dims).map(normal);
  for (let doc = 5; doc < docCount; doc += 3) docs.set(docs.subarray((doc - 5) * dims, (doc - 4) * dims), doc * dims);
  return { dims, docs, queries };
}
