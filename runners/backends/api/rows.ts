import { notFinite, type Reading, unexpected } from './answers.js';

/** The number as float32, checked: NaN reaches here as null, 1e400 as Infinity, 1e39 is too large for a float32. */
function finite(value: unknown, { title, place }: Reading, position: number): number {
  if (typeof value === 'number') {
    const single = Math.fround(value);
    if (Number.isFinite(single)) return single;
  } else if (value !== null) {
    throw unexpected(title, `${typeof value} where a number is wanted, for ${place(position)}`);
  }
  throw notFinite(title, `${value} for ${place(position)}`);
}

/** A vector from numbers, or from base64 of little-endian float32 as OpenAI's `encoding_format` writes it. */
export function denseRow(value: unknown, reading: Reading, position: number): Float32Array {
  const row = typeof value === 'string' ? fromBase64(value) : value;
  const isList = Array.isArray(row) || row instanceof Float32Array;
  if (!isList || row.length === 0) {
    throw unexpected(reading.title, `no vector for ${reading.place(position)}`);
  }
  const vector = new Float32Array(row.length);
  for (let i = 0; i < row.length; i++) vector[i] = finite(row[i], reading, position);
  return vector;
}

function fromBase64(text: string): Float32Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.byteLength % 4 !== 0) return null;
  const vector = new Float32Array(bytes.byteLength / 4);
  for (let i = 0; i < vector.length; i++) vector[i] = bytes.readFloatLE(4 * i);
  return vector;
}

export interface SparseRow {
  /** Ascending. */
  readonly terms: Int32Array;
  /** Above zero. */
  readonly weights: Float32Array;
}

/**
 * Term numbers are below this. Text Embeddings Inference does not say how large its vocabulary is, and all rows of a task
 * need one bound; the largest vocabularies of encoders in use have 2^18 entries.
 */
export const sparseTermCount = 2 ** 18;

/** Weights of a text from `{index, value}` in any order; those of zero are left out. */
export function sparseRow(
  entries: readonly { readonly index: number; readonly value?: unknown }[],
  reading: Reading,
  position: number,
): SparseRow {
  const { title, place } = reading;
  const sorted = [...entries].sort((a, b) => a.index - b.index);
  const kept: { readonly index: number; readonly weight: number }[] = [];
  for (const [i, { index, value }] of sorted.entries()) {
    if (!Number.isInteger(index) || index < 0 || index >= sparseTermCount) {
      throw unexpected(title, `term ${index} outside 0 … ${sparseTermCount - 1} for ${place(position)}`);
    }
    if (i > 0 && sorted[i - 1].index === index) throw unexpected(title, `term ${index} twice for ${place(position)}`);
    const weight = finite(value, reading, position);
    if (weight < 0) throw unexpected(title, `a weight below zero for ${place(position)}`);
    if (weight > 0) kept.push({ index, weight });
  }
  return {
    terms: Int32Array.from(kept, ({ index }) => index),
    weights: Float32Array.from(kept, ({ weight }) => weight),
  };
}

/** A service's score as it is, in float64. */
export function finiteScore(value: unknown, { title, place }: Reading, position: number): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'number' || value === null) throw notFinite(title, `${value} for ${place(position)}`);
  throw unexpected(title, `${typeof value} where a score is wanted, for ${place(position)}`);
}
