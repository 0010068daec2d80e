import { join } from 'node:path';
import { expect } from 'vitest';
import type { EncodedTexts, OpenModel, PairScorer, TextEncoder } from '../../runners/open-model.js';
import { golden, hasShared, readJson } from './cards.js';

export const needsShared = hasShared ? '' : ' (skipped without ../shared, which holds the models)';

const references = readJson(golden, 'reference-texts.json');
const textById = new Map<string, string>(
  references.texts.map(({ id, text }: { id: string; text: string }) => [id, text]),
);

export function textOf(id: string): string {
  const text = textById.get(id);
  if (text === undefined) throw new Error(`no reference text ${id}`);
  return text;
}

export const allTexts = [...textById.values()];
export const lateQueries: readonly string[] = references.lateQueries;
export const lateDocuments: readonly string[] = references.lateDocuments;

interface PairIds {
  readonly id: string;
  readonly query: string;
  readonly passage: string;
}
export const pairIds: readonly string[] = references.pairs.map(({ id }: PairIds) => id);
const pairById = new Map<string, PairIds>(references.pairs.map((pair: PairIds) => [pair.id, pair]));

export function pairOf(id: string): { readonly query: string; readonly document: string } {
  const pair = pairById.get(id);
  if (pair === undefined) throw new Error(`no reference pair ${id}`);
  return { query: textOf(pair.query), document: textOf(pair.passage) };
}

export const goldenOf = (model: string, file: string) => readJson(join(golden, model), file);

export function asEncoder(model: OpenModel): TextEncoder {
  if (model.kind !== 'encoder') throw new Error(`${model.kind} is no encoder`);
  return model;
}

export function asScorer(model: OpenModel): PairScorer {
  if (model.kind !== 'scorer') throw new Error(`${model.kind} is no scorer`);
  return model;
}

type OfKind<Kind extends EncodedTexts['kind']> = Extract<EncodedTexts, { kind: Kind }>;

export function ofKind<Kind extends EncodedTexts['kind']>(encoded: EncodedTexts, kind: Kind): OfKind<Kind> {
  if (encoded.kind !== kind) throw new Error(`${encoded.kind}, not ${kind}`);
  return encoded as OfKind<Kind>;
}

/** The greatest difference of two rows of numbers; rows of different lengths are infinitely different. */
export function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let greatest = 0;
  for (let i = 0; i < a.length; i++) {
    const apart = Math.abs(a[i] - b[i]);
    greatest = Number.isNaN(apart) ? Number.POSITIVE_INFINITY : Math.max(greatest, apart);
  }
  return greatest;
}

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return dot / Math.sqrt(aa * bb);
}

/** The vectors of a dense encoding, one for each text. */
export function rowsOf(encoded: EncodedTexts): Float32Array[] {
  const { dims, vectors } = ofKind(encoded, 'dense');
  return Array.from({ length: vectors.length / dims }, (_, row) => vectors.subarray(row * dims, (row + 1) * dims));
}

/** The weights of a sparse encoding, one map for each text. */
export function weightsOf(encoded: EncodedTexts): Map<number, number>[] {
  const { offsets, terms, weights } = ofKind(encoded, 'sparse');
  return Array.from(
    { length: offsets.length - 1 },
    (_, row) =>
      new Map(
        Array.from({ length: offsets[row + 1] - offsets[row] }, (_, i) => {
          const at = offsets[row] + i;
          return [terms[at], weights[at]];
        }),
      ),
  );
}

/** Greatest difference of two sparse rows; an entry that one lacks counts as 0 there. */
export function sparseDifference(ours: ReadonlyMap<number, number>, theirs: Readonly<Record<string, number>>): number {
  const reference = new Map(Object.entries(theirs).map(([term, weight]) => [Number(term), weight]));
  const terms = [...new Set([...ours.keys(), ...reference.keys()])];
  return difference(
    terms.map((term) => ours.get(term) ?? 0),
    terms.map((term) => reference.get(term) ?? 0),
  );
}

/** Fails with the name of the text that is too far off. */
export function expectClose(id: string, apart: number, limit: number): void {
  expect({ id, close: apart <= limit, apart: apart <= limit ? 0 : apart }).toEqual({ id, close: true, apart: 0 });
}
