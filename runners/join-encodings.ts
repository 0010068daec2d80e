import { TenbinError } from '../core/errors.js';
import type { EncodedTexts } from './open-model.js';
import type { BackendOutput, PretrainedModel, SparseRows, TokenRows } from './system.js';

/** Bytes that the tensors of a list of texts take in memory. */
export function storedBytes(encoded: EncodedTexts): number {
  switch (encoded.kind) {
    case 'dense':
      return encoded.vectors.byteLength;
    case 'sparse':
      // Weights are held as float64 once they are searched.
      return encoded.offsets.byteLength + 3 * encoded.terms.byteLength;
    case 'late-interaction':
      return encoded.offsets.byteLength + encoded.vectors.byteLength;
  }
}

/** Shards of documents and of queries put end to end: the encoding of a task. */
export function joinedEncoding(
  docs: readonly EncodedTexts[],
  queries: readonly EncodedTexts[],
  { id, family, similarity = 'cosine' }: PretrainedModel,
): BackendOutput['encoding'] {
  const width = commonWidth([...docs, ...queries], id);
  switch (family) {
    case 'dense':
      return { kind: 'dense', dims: width, similarity, docs: denseRows(docs), queries: denseRows(queries) };
    case 'sparse':
      return { kind: 'sparse', termCount: width, docs: sparseRows(docs), queries: sparseRows(queries) };
    case 'late-interaction':
      return { kind: 'late-interaction', dims: width, docs: tokenRows(docs), queries: tokenRows(queries) };
    case 'reranker':
      throw new Error(`${id} is a reranker: it has no encoding.`);
  }
}

function commonWidth(lists: readonly EncodedTexts[], model: string): number {
  const widths = new Set(lists.map((list) => (list.kind === 'sparse' ? list.termCount : list.dims)));
  const [width = 1, other] = widths;
  if (other === undefined) return width;
  throw new TenbinError('malformed', {
    what: `${model} gave vectors of different lengths`,
    value: `${width} and ${other}`,
    fix: 'The model changed meanwhile, or the service answers for several: run it again.',
  });
}

function denseRows(lists: readonly EncodedTexts[]): Float32Array {
  return joined(lists.map((list) => (list.kind === 'dense' ? list.vectors : new Float32Array())));
}

function tokenRows(lists: readonly EncodedTexts[]): TokenRows {
  const own = lists.flatMap((list) => (list.kind === 'late-interaction' ? [list] : []));
  return {
    offsets: joinedOffsets(own.map(({ offsets }) => offsets)),
    vectors: joined(own.map((list) => list.vectors)),
  };
}

function sparseRows(lists: readonly EncodedTexts[]): SparseRows {
  const own = lists.flatMap((list) => (list.kind === 'sparse' ? [list] : []));
  const offsets = joinedOffsets(own.map((list) => list.offsets));
  const size = offsets[offsets.length - 1];
  const terms = new Int32Array(size);
  const weights = new Float64Array(size);
  let at = 0;
  for (const list of own) {
    terms.set(list.terms, at);
    weights.set(list.weights, at);
    at += list.terms.length;
  }
  return { offsets, terms, weights };
}

function joined(parts: readonly Float32Array[]): Float32Array {
  if (parts.length === 1) return parts[0];
  const whole = new Float32Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function joinedOffsets(parts: readonly Int32Array[]): Int32Array {
  const whole = new Int32Array(1 + parts.reduce((size, part) => size + part.length - 1, 0));
  let at = 1;
  for (const part of parts) {
    const before = whole[at - 1];
    for (let i = 1; i < part.length; i++) whole[at++] = before + part[i];
  }
  return whole;
}
