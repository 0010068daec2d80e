import type { BackendOutput, Engine, SparseRows, Texts, TokenRows } from '../system.js';
import { rowLengths, type TermSpace, termSpace } from './lsa-terms.js';

/**
 * A vector for each term of a text. A term that comes again has the same vector, so it is kept once: the maximum over a
 * document is the same. Query terms that no document holds, and terms without a direction, have none.
 */
export function encodeTermVectors(texts: Texts, dims: number, engine: Engine): BackendOutput {
  const space = termSpace(texts, dims, engine);
  const queries = tokenRows(space.queries.rows, space);
  return {
    encoding: { kind: 'late-interaction', dims, docs: tokenRows(space.docs.rows, space), queries },
    // Looking a term's vector up is no arithmetic.
    encodeWork: rowLengths(queries).map((terms) => ({ lookUps: terms })),
    modelBytes: space.vectors.byteLength,
    conditions: { ...space.conditions, 'lsa.tokens': 'each term of a text once, unweighted' },
  };
}

function tokenRows({ offsets, terms }: SparseRows, { vectors, dims }: TermSpace): TokenRows {
  const vectorOf = (term: number): Float32Array => vectors.subarray(term * dims, (term + 1) * dims);
  const directed = Uint8Array.from({ length: vectors.length / dims }, (_, term) =>
    vectorOf(term).some((value) => value !== 0) ? 1 : 0,
  );
  const newOffsets = new Int32Array(offsets.length);
  const kept = terms.filter((term) => directed[term] === 1);
  for (let row = 0; row < offsets.length - 1; row++) {
    let count = 0;
    for (let i = offsets[row]; i < offsets[row + 1]; i++) count += directed[terms[i]];
    newOffsets[row + 1] = newOffsets[row] + count;
  }
  const rows = new Float32Array(kept.length * dims);
  kept.forEach((term, i) => {
    rows.set(vectorOf(term), i * dims);
  });
  return { offsets: newOffsets, vectors: rows };
}
