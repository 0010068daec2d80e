import { rowDots } from '../kernels/dot.js';
import { type SparseMatrix, transpose } from '../kernels/sparse-matrix.js';
import { selectTop } from '../kernels/top-k.js';
import type { BackendOutput, Engine, SparseRows, Texts } from '../system.js';
import { rowLengths, type TermSpace, termSpace } from './lsa-terms.js';

export interface Expansion {
  readonly dims: number;
  /** Terms that each term of a document brings along, at most. */
  readonly neighbours: number;
  /** What a neighbour of cosine 1 weighs, of the term that brings it. */
  readonly weight: number;
}

/** A term of one document lies where that document does: its neighbours would be the document's own terms. */
const leastDocuments = 2;

/**
 * tf-idf rows whose documents also hold the terms nearest to theirs, as in SPLADE-doc: expanded documents, plain
 * queries. An added term weighs what the cosine times `weight` leaves of the term that brings it; what several bring
 * adds up.
 */
export function encodeExpanded(texts: Texts, expansion: Expansion, engine: Engine): BackendOutput {
  const space = termSpace(texts, expansion.dims, engine);
  const near = nearestTerms(space, expansion.neighbours);
  const docs = { rows: expanded(space.docs, near, expansion), columns: space.docs.columns };
  return {
    encoding: {
      kind: 'sparse',
      termCount: space.docs.columns,
      docs: inTermOrder(docs),
      queries: inTermOrder(space.queries),
    },
    // The rarity of each term is looked up, and there is no vector.
    encodeWork: rowLengths(space.queries.rows).map((terms) => ({ lookUps: terms })),
    // The rarity of each term: all that a query's weights need.
    modelBytes: 8 * space.docs.columns,
    conditions: {
      ...space.conditions,
      'expand.neighbours': expansion.neighbours,
      'expand.weight': expansion.weight,
      'expand.terms': `of at least ${leastDocuments} documents, cosine above zero`,
      'expand.queries': 'not expanded',
    },
  };
}

/** The neighbours of term t and their cosines stand at t · count …; -1 where there are no more. */
interface Neighbours {
  readonly terms: Int32Array;
  readonly cosines: Float64Array;
}

/** Each term against each, over the terms of several documents, t of them: 2·t²·dims flops. */
function nearestTerms({ docs, vectors, dims }: TermSpace, count: number): Neighbours {
  const near = {
    terms: new Int32Array(docs.columns * count).fill(-1),
    cosines: new Float64Array(docs.columns * count),
  };
  const eligible = sharedTerms(docs);
  const cosines = new Float64Array(docs.columns);
  const dots = rowDots(vectors, dims);
  for (const term of eligible) {
    const weights = Float64Array.from(vectors.subarray(term * dims, (term + 1) * dims));
    dots({ weights, offset: 0 }, eligible, cosines);
    cosines[term] = -2; // below every cosine: a term is no neighbour of its own
    const top = selectTop(cosines, eligible, eligible.length, count);
    for (let i = 0; i < Math.min(count, top.docs.length) && top.scores[i] > 0; i++) {
      near.terms[term * count + i] = top.docs[i];
      near.cosines[term * count + i] = top.scores[i];
    }
  }
  return near;
}

function sharedTerms({ rows, columns }: SparseMatrix): Int32Array {
  const documents = new Int32Array(columns);
  for (const term of rows.terms) documents[term]++;
  return Int32Array.from(documents.keys()).filter((term) => documents[term] >= leastDocuments);
}

function expanded({ rows, columns }: SparseMatrix, near: Neighbours, { neighbours, weight }: Expansion): SparseRows {
  const offsets = new Int32Array(rows.offsets.length);
  const terms: number[] = [];
  const weights: number[] = [];
  // Zero between two rows; weights are above zero, so a sum is too.
  const sums = new Float64Array(columns);
  for (let row = 0; row < offsets.length - 1; row++) {
    const held: number[] = [];
    const add = (term: number, amount: number): void => {
      if (sums[term] === 0) held.push(term);
      sums[term] += amount;
    };
    for (let i = rows.offsets[row]; i < rows.offsets[row + 1]; i++) {
      const term = rows.terms[i];
      add(term, rows.weights[i]);
      for (let n = term * neighbours; n < (term + 1) * neighbours && near.terms[n] >= 0; n++) {
        add(near.terms[n], rows.weights[i] * near.cosines[n] * weight);
      }
    }
    for (const term of held) {
      terms.push(term);
      weights.push(sums[term]);
      sums[term] = 0;
    }
    offsets[row + 1] = terms.length;
  }
  return { offsets, terms: Int32Array.from(terms), weights: Float64Array.from(weights) };
}

function inTermOrder(matrix: SparseMatrix): SparseRows {
  return transpose(transpose(matrix)).rows;
}
