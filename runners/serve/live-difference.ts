import { TenbinError } from '../../core/errors.js';
import type { Arena } from '../arena.js';
import type { EncodedTexts } from '../open-model.js';
import type { Encoding, PretrainedModel } from '../system.js';

/** Batches and services change the last digits of a vector; another prompt or model changes all of them. */
const tolerance = 0.01;

/** The numbers of one query; of a sparse one with the terms that they belong to. */
interface Row {
  readonly values: ArrayLike<number>;
  readonly terms: Int32Array | null;
}

/**
 * Encodes some queries one by one, as requests are, and compares them with the vectors that are searched with: the greatest
 * difference, as a share of the greatest number of its vector. Null where there is nothing to compare with. What is served
 * live must be what is searched with, or its times are those of another system: beyond 1 % it is `malformed`.
 */
export async function liveDifference(
  model: PretrainedModel,
  arena: Arena,
  queries: readonly number[],
): Promise<number | null> {
  const encoding = (await arena.prepared.get(model.id))?.encoding ?? null;
  const opened = await arena.engine.runtime?.use(model);
  if (encoding === null || encoding.kind === 'blocks' || opened?.kind !== 'encoder') return null;
  let greatest = 0;
  for (const query of queries) {
    const live = liveRow(await opened.encode([arena.texts.queries[query]], 'query'), encoding);
    greatest = Math.max(greatest, rowDifference(live, preparedRow(encoding, query)));
  }
  if (greatest <= tolerance) return greatest;
  throw new TenbinError('malformed', {
    what: 'A query encoded by itself is another vector than the same query encoded with the others',
    value: `${model.id}: a difference of ${greatest.toPrecision(3)} of the greatest number`,
    fix: 'Clear the vector cache of this model (`tenbin cache`); if it stays, its numbers depend on the batch.',
  });
}

type Held = Exclude<Encoding, { readonly kind: 'blocks' }>;

function preparedRow(encoding: Held, query: number): Row {
  switch (encoding.kind) {
    case 'dense':
      return { values: encoding.queries.subarray(query * encoding.dims, (query + 1) * encoding.dims), terms: null };
    case 'late-interaction': {
      const { offsets, vectors } = encoding.queries;
      return {
        values: vectors.subarray(offsets[query] * encoding.dims, offsets[query + 1] * encoding.dims),
        terms: null,
      };
    }
    case 'sparse': {
      const { offsets, terms, weights } = encoding.queries;
      const [from, to] = [offsets[query], offsets[query + 1]];
      return { values: weights.subarray(from, to), terms: terms.subarray(from, to) };
    }
  }
}

function liveRow(encoded: EncodedTexts, encoding: Held): Row {
  if (encoded.kind === 'sparse') return { values: encoded.weights, terms: encoded.terms };
  const isCosine = encoding.kind === 'dense' && encoding.similarity === 'cosine';
  return { values: isCosine ? unit(encoded.vectors) : encoded.vectors, terms: null };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : vector;
}

/** Infinity where the rows have other shapes. */
export function rowDifference(live: Row, prepared: Row): number {
  const numbers = (row: Row) =>
    new Map(Array.from(row.values, (value, i) => [row.terms === null ? i : row.terms[i], value]));
  const [a, b] = [numbers(live), numbers(prepared)];
  if (live.terms === null && a.size !== b.size) return Number.POSITIVE_INFINITY;
  let [difference, greatest] = [0, 0];
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    difference = Math.max(difference, Math.abs((a.get(key) ?? 0) - (b.get(key) ?? 0)));
    greatest = Math.max(greatest, Math.abs(b.get(key) ?? 0));
  }
  return difference === 0 ? 0 : difference / greatest;
}
