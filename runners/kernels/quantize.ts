import type { DenseEncoding } from '../system.js';

/** The range of each dimension over the documents: values are least + step · code for codes 0 … 255. */
export interface Ranges {
  readonly least: Float32Array;
  /** 0 where all documents agree. */
  readonly step: Float32Array;
}

/** Least value and (greatest − least) / 255 of every dimension, from the documents alone, in float32. */
export function rangesOf({ dims, docs }: Pick<DenseEncoding, 'dims' | 'docs'>): Ranges {
  const least = new Float32Array(dims).fill(docs.length === 0 ? 0 : Number.POSITIVE_INFINITY);
  const greatest = new Float32Array(dims).fill(docs.length === 0 ? 0 : Number.NEGATIVE_INFINITY);
  for (let i = 0, j = 0; i < docs.length; i++, j = j + 1 === dims ? 0 : j + 1) {
    if (docs[i] < least[j]) least[j] = docs[i];
    if (docs[i] > greatest[j]) greatest[j] = docs[i];
  }
  return { least, step: greatest.map((value, j) => Math.fround(value - least[j]) / 255) };
}

/** One byte per value: the nearest of the 256 levels of its dimension, the ends beyond them. */
export function nearestCodes(vectors: Float32Array, { least, step }: Ranges): Uint8Array {
  const dims = least.length;
  const codes = new Uint8Array(vectors.length);
  for (let i = 0; i < codes.length; i++) {
    const j = i % dims;
    const level = step[j] === 0 ? 0 : Math.round((vectors[i] - least[j]) / step[j]);
    codes[i] = Math.min(255, Math.max(0, level));
  }
  return codes;
}

/**
 * HAKARI-Bench's codes (217c872, embedding_variants.py): clip((x − least) / step − 128, −128, 127), cut toward zero,
 * every operation in float32; where all documents agree the step is 1. The bucket of 0 is twice as wide as the others.
 * Stored plus 128, so that one byte kernel serves all: see `int8@hakari`.
 */
export function hakariCodes(vectors: Float32Array, { least, step }: Ranges): Uint8Array {
  const dims = least.length;
  const codes = new Uint8Array(vectors.length);
  for (let i = 0; i < codes.length; i++) {
    const j = i % dims;
    const level = Math.fround(Math.fround(vectors[i] - least[j]) / (step[j] === 0 ? 1 : step[j]));
    codes[i] = Math.trunc(Math.min(127, Math.max(-128, Math.fround(level - 128)))) + 128;
  }
  return codes;
}
