import { printable, TenbinError } from '../core/errors.js';
import type { Embed } from './types.js';

/** Texts of one kind of one task. */
export interface TextsToEmbed {
  readonly kind: 'query' | 'document';
  readonly task: string;
  readonly ids: readonly string[];
  readonly texts: readonly string[];
  readonly batchSize: number;
}

export interface Vectors {
  readonly dims: number;
  /** Row-major, float32. */
  readonly rows: Float32Array;
}

/** All vectors, batch after batch. `dims` is what earlier vectors had; null before the first. */
export async function embedAll(embed: Embed, asked: TextsToEmbed, dims: number | null): Promise<Vectors> {
  const { texts, kind, batchSize } = asked;
  let known = dims;
  let rows = new Float32Array(0);
  for (let start = 0; start < texts.length; start += batchSize) {
    const batch = texts.slice(start, start + batchSize);
    const vectors = await embed(batch, { kind });
    checkCount(vectors, batch.length, asked, start);
    for (let i = 0; i < vectors.length; i++) {
      const length = dimensionOf(vectors[i], known, nameOf(asked, start + i));
      if (rows.length === 0) rows = new Float32Array(texts.length * length);
      known = length;
      fillRow(rows.subarray((start + i) * length, (start + i + 1) * length), vectors[i], nameOf(asked, start + i));
    }
  }
  return { dims: known ?? 0, rows };
}

function checkCount(vectors: unknown, wanted: number, { kind, task }: TextsToEmbed, start: number): void {
  if (Array.isArray(vectors) && vectors.length === wanted) return;
  const given = Array.isArray(vectors) ? `${vectors.length} vectors` : 'no array';
  throw new TenbinError('malformed', {
    what: 'embed() gives one vector for each text, in an array',
    value: `${given} for ${wanted} ${kind} texts of ${task}, from number ${start + 1} on`,
    fix: 'Return an array as long as the texts it was called with.',
  });
}

function dimensionOf(vector: unknown, known: number | null, name: () => string): number {
  const isList = Array.isArray(vector) || (ArrayBuffer.isView(vector) && !(vector instanceof DataView));
  const length = isList ? (vector as ArrayLike<unknown>).length : 0;
  if (length >= 1 && (known === null || length === known)) return length;
  throw new TenbinError('malformed', {
    what:
      known === null
        ? 'A vector has at least one number'
        : `A vector has another dimension than those before (${known})`,
    value: `${isList ? `${length} numbers` : 'no list of numbers'} for ${name()}`,
    fix: 'Every text, query or document, gets a vector of one length: a number[] or a Float32Array.',
  });
}

function fillRow(row: Float32Array, vector: ArrayLike<unknown>, name: () => string): void {
  let isZero = true;
  for (let i = 0; i < row.length; i++) {
    const value = vector[i];
    row[i] = typeof value === 'number' ? value : Number.NaN;
    if (!Number.isFinite(row[i])) throw notFinite(value, i, name());
    if (row[i] !== 0) isZero = false;
  }
  if (isZero) throw zero(name());
}

function notFinite(value: unknown, dimension: number, name: string): TenbinError {
  return new TenbinError('not-finite', {
    what: 'embed() gave a vector with something else than a finite float32 number',
    value: `${printable(String(value))} in dimension ${dimension} for ${name}`,
    fix: 'Look at that text; if it is ordinary, the training has diverged or a half-precision layer overflows.',
  });
}

function zero(name: string): TenbinError {
  return new TenbinError('malformed', {
    what: 'embed() gave a vector of zeros, which has no direction',
    value: name,
    fix: 'Look at how the model pools that text: an empty attention mask gives zeros.',
  });
}

function nameOf({ kind, task, ids }: TextsToEmbed, position: number): () => string {
  return () => `the ${kind} \`${printable(ids[position])}\` of ${task}`;
}
