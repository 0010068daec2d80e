import { gaussians, mulberry32 } from '../../core/random.js';
import { analyzers } from '../../runners/analyzers/index.js';
import { preparedDense } from '../../runners/families/dense.js';
import { preparedLate } from '../../runners/families/late-interaction.js';
import { lexical } from '../../runners/families/lexical.js';
import { preparedSparse } from '../../runners/families/sparse.js';
import { models } from '../../runners/models/index.js';
import type { BackendOutput, Encoding, Prepared, SparseRows, Texts, TokenRows } from '../../runners/system.js';

export const docCount = 61;
export const queryCount = 4;
export const texts: Texts = {
  docs: Array.from({ length: docCount }, () => ''),
  queries: Array.from({ length: queryCount }, () => ''),
};

export function outputOf(encoding: Encoding): BackendOutput {
  return { encoding, encodeWork: { flops: 7 }, modelBytes: 11, conditions: { given: 'by a test' } };
}

/** Rows of which every third is the same as an earlier one, so that there are ties. */
function withCopies<Row>(rows: readonly Row[]): Row[] {
  return rows.map((row, i) => (i >= 5 && (i - 5) % 3 === 0 ? rows[i - 5] : row));
}

function normals(seed: number): (count: number) => number[] {
  const normal = gaussians(mulberry32(seed));
  return (count) => Array.from({ length: count }, normal);
}

/** Normal vectors of 160 dimensions; for `dot`, of very different lengths. */
export function denseSubject(similarity: 'cosine' | 'dot'): Prepared {
  const [dims, some] = [160, normals(5)];
  const row = (_: unknown, i: number) => some(dims).map((value) => value * (similarity === 'dot' ? 1 + (i % 7) : 1));
  const docs = Float32Array.from(withCopies(Array.from({ length: docCount }, row)).flat());
  const queries = Float32Array.from(Array.from({ length: queryCount }, row).flat());
  return preparedDense(outputOf({ kind: 'dense', dims, similarity, docs, queries }), texts, 'given');
}

export function sparseRows(rows: readonly (readonly (readonly [term: number, weight: number])[])[]): SparseRows {
  const offsets = new Int32Array(rows.length + 1);
  for (const [i, row] of rows.entries()) offsets[i + 1] = offsets[i] + row.length;
  return {
    offsets,
    terms: Int32Array.from(rows.flat(), ([term]) => term),
    weights: Float64Array.from(rows.flat(), ([, weight]) => weight),
  };
}

/** 300 terms, of which documents hold some 100 and queries some 40, as a learned sparse model gives them. */
export function sparseSubject(): Prepared {
  const uniform = mulberry32(7);
  const row = (share: number) =>
    Array.from({ length: 300 }, (_, term) => [term, Math.fround(uniform() * 2)] as const).filter(
      () => uniform() < share,
    );
  const docs = sparseRows(withCopies(Array.from({ length: docCount }, () => row(1 / 3))));
  const queries = sparseRows(Array.from({ length: queryCount }, () => row(1 / 7)));
  return preparedSparse(outputOf({ kind: 'sparse', termCount: 300, docs, queries }), texts, 'given');
}

export function tokenRows(rows: readonly (readonly number[])[], dims: number): TokenRows {
  const offsets = new Int32Array(rows.length + 1);
  for (const [i, row] of rows.entries()) offsets[i + 1] = offsets[i] + row.length / dims;
  return { offsets, vectors: Float32Array.from(rows.flat()) };
}

/** Documents of 1 to 12 token vectors of 64 dimensions and unit length, queries of 1 to 4. */
export function lateSubject(): Prepared {
  const [dims, some] = [64, normals(9)];
  const unit = () => {
    const vector = some(dims);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
  const text = (count: number) => Array.from({ length: count }, unit).flat();
  const docs = tokenRows(withCopies(Array.from({ length: docCount }, (_, i) => text(1 + (i % 12)))), dims);
  const queries = tokenRows(
    Array.from({ length: queryCount }, (_, i) => text(1 + i)),
    dims,
  );
  return preparedLate(outputOf({ kind: 'late-interaction', dims, docs, queries }), texts, 'given');
}

/** Counted terms: 61 documents of some of 40 words, by a lexical model. */
export async function lexicalSubject(model: string): Promise<Prepared> {
  const uniform = mulberry32(11);
  const say = (count: number) => Array.from({ length: count }, () => `w${Math.floor(uniform() ** 2 * 40)}`).join(' ');
  const spoken = {
    docs: withCopies(Array.from({ length: docCount }, () => say(30))),
    queries: Array.from({ length: queryCount }, () => say(9)),
  };
  return lexical.prepare(spoken, models.bind(model), { analyzer: analyzers.bind('unicode'), seed: 17 });
}

/** What orders candidates only: it has no encoding that a variant could change. */
export function rerankerSubject(): Prepared {
  return { ...denseSubject('cosine'), encoding: null };
}
