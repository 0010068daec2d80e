import { type Digest, digestOf, sha256 } from '../core/digest.js';
import type { EncodedTexts, Role, TokenFacts } from './open-model.js';
import type { CacheEntry, Conditions, PretrainedModel } from './system.js';

/** Raised by hand whenever a change of ours may change a vector: entries made before are then never asked for. */
const encodingRevision = 4;

/** What a model gave for a list of texts, with what it said of itself: enough for a run without opening it. */
export interface CachedEncoding {
  readonly encoded: EncodedTexts;
  readonly conditions: Conditions;
  readonly modelBytes: number;
}

/** The digest of everything that changes the tensors of a list of texts. */
export function encodingKey(model: PretrainedModel, role: Role, texts: readonly string[]): Digest {
  return digestOf({
    schema: 'tenbin/encoding@1',
    revision: encodingRevision,
    model: model.identity,
    role,
    texts: texts.map((text) => sha256(text)),
  });
}

export function toEntry(model: string, { encoded, conditions, modelBytes }: CachedEncoding): CacheEntry {
  const { kind, tokens } = encoded;
  const width = kind === 'sparse' ? encoded.termCount : encoded.dims;
  return {
    facts: { kind, model, width, modelBytes, conditions, hasTokens: tokens !== null },
    arrays: { ...arraysOf(encoded), ...(tokens === null ? {} : tokens) },
  };
}

function arraysOf(encoded: EncodedTexts): CacheEntry['arrays'] {
  switch (encoded.kind) {
    case 'dense':
      return { vectors: encoded.vectors };
    case 'sparse':
      return { offsets: encoded.offsets, terms: encoded.terms, weights: encoded.weights };
    case 'late-interaction':
      return { offsets: encoded.offsets, vectors: encoded.vectors };
  }
}

/** The entry as it was put in; null when it is of another shape, which only a foreign file can be. */
export function fromEntry({ facts, arrays }: CacheEntry): CachedEncoding | null {
  const { kind, width, modelBytes, conditions, hasTokens } = facts;
  if (typeof width !== 'number' || typeof modelBytes !== 'number' || typeof conditions !== 'object') return null;
  const tokens = tokensOf(arrays, hasTokens === true);
  if (tokens === undefined) return null;
  const rest = { conditions: conditions as Conditions, modelBytes };
  const { vectors, offsets, terms, weights } = arrays;
  if (kind === 'dense' && vectors instanceof Float32Array) {
    return { encoded: { kind, dims: width, vectors, tokens }, ...rest };
  }
  if (!(offsets instanceof Int32Array)) return null;
  if (kind === 'late-interaction' && vectors instanceof Float32Array) {
    return { encoded: { kind, dims: width, offsets, vectors, tokens }, ...rest };
  }
  if (kind === 'sparse' && terms instanceof Int32Array && weights instanceof Float32Array) {
    return { encoded: { kind, termCount: width, offsets, terms, weights, tokens }, ...rest };
  }
  return null;
}

function tokensOf(arrays: CacheEntry['arrays'], expected: boolean): TokenFacts | null | undefined {
  return expected ? (tokenFactsFrom(arrays) ?? undefined) : null;
}

/** What an entry's arrays say of tokens; null when the arrays that always stand there do not. */
export function tokenFactsFrom(arrays: CacheEntry['arrays']): TokenFacts | null {
  const { counts, truncated } = arrays;
  if (!(counts instanceof Int32Array && truncated instanceof Uint8Array)) return null;
  const optional = ['widths', 'decoderCounts', 'decoderWidths', 'predicted', 'lookUps'] as const;
  const there = optional.flatMap((name) => {
    const array = arrays[name];
    return array instanceof Int32Array && array.length === counts.length ? [[name, array] as const] : [];
  });
  return { counts, truncated, ...Object.fromEntries(there) };
}
