import type { Json } from '../core/canonical.js';
import { type Digest, digestOf, sha256 } from '../core/digest.js';
import type { BackendOutput, CacheEntry, Conditions, Engine, FittedModel, Texts, Work } from './system.js';

/** Raised by hand whenever a change of ours may change what a fitted model gives. */
const fittedRevision = 2;

/** The tensors of a model that is fitted to the documents, from the cache where they are there. */
export async function fittedOutput(texts: Texts, model: FittedModel, engine: Engine): Promise<BackendOutput> {
  const { cache } = engine.runtime ?? {};
  if (!cache) return model.encode(texts, engine);
  const key = fittedKey(texts, model, engine);
  const entry = await cache.get(key);
  const known = entry === null ? null : fromEntry(entry);
  if (known !== null) return known;
  const made = await model.encode(texts, engine);
  await cache.put(key, toEntry(model.id, made));
  return made;
}

function fittedKey({ docs, queries }: Texts, { id }: FittedModel, { analyzer, seed }: Engine): Digest {
  return digestOf({
    schema: 'tenbin/fitted@1',
    revision: fittedRevision,
    model: id,
    analyzer: { id: analyzer.id, version: analyzer.version },
    seed,
    docs: docs.map((text) => sha256(text)),
    queries: queries.map((text) => sha256(text)),
  });
}

function toEntry(model: string, { encoding, encodeWork, modelBytes, conditions }: BackendOutput): CacheEntry {
  const facts = { model, kind: encoding.kind, encodeWork: encodeWork as Json, modelBytes, conditions };
  switch (encoding.kind) {
    case 'dense': {
      const { dims, similarity, docs, queries } = encoding;
      return { facts: { ...facts, dims, similarity }, arrays: { docs, queries } };
    }
    case 'sparse': {
      const { termCount, docs, queries } = encoding;
      return { facts: { ...facts, termCount }, arrays: { ...named('docs', docs), ...named('queries', queries) } };
    }
    case 'late-interaction': {
      const { dims, docs, queries } = encoding;
      return { facts: { ...facts, dims }, arrays: { ...named('docs', docs), ...named('queries', queries) } };
    }
    case 'blocks':
      throw new Error('A fitted model sees all documents together.');
  }
}

type Arrays = CacheEntry['arrays'];

function named(noun: 'docs' | 'queries', rows: object): Arrays {
  return Object.fromEntries(Object.entries(rows).map(([name, array]) => [`${noun}.${name}`, array]));
}

/** The output as it was put in; null when it is of another shape, which only a foreign file can be. */
function fromEntry({ facts, arrays }: CacheEntry): BackendOutput | null {
  const encoding = encodingOf({ facts, arrays });
  if (encoding === null || typeof facts.modelBytes !== 'number') return null;
  return {
    encoding,
    encodeWork: facts.encodeWork as Work | Work[],
    modelBytes: facts.modelBytes,
    conditions: facts.conditions as Conditions,
  };
}

function encodingOf({
  facts: { kind, dims, termCount, similarity },
  arrays,
}: CacheEntry): BackendOutput['encoding'] | null {
  const [docs, queries] = [rowsOf(arrays, 'docs'), rowsOf(arrays, 'queries')];
  if (kind === 'dense' && typeof dims === 'number' && (similarity === 'cosine' || similarity === 'dot')) {
    const { docs: vectors, queries: asked } = arrays;
    const fits = vectors instanceof Float32Array && asked instanceof Float32Array;
    return fits ? { kind, dims, similarity, docs: vectors, queries: asked } : null;
  }
  if (kind === 'sparse' && typeof termCount === 'number' && isSparse(docs) && isSparse(queries)) {
    return { kind, termCount, docs, queries };
  }
  if (kind === 'late-interaction' && typeof dims === 'number' && isTokens(docs) && isTokens(queries)) {
    return { kind, dims, docs, queries };
  }
  return null;
}

type Rows = Readonly<Record<'offsets' | 'terms' | 'weights' | 'vectors', Arrays[string] | undefined>>;

function rowsOf(arrays: Arrays, noun: string): Rows {
  const [offsets, terms, weights, vectors] = ['offsets', 'terms', 'weights', 'vectors'].map(
    (n) => arrays[`${noun}.${n}`],
  );
  return { offsets, terms, weights, vectors };
}

function isSparse(rows: Rows): rows is Rows & {
  readonly offsets: Int32Array;
  readonly terms: Int32Array;
  readonly weights: Float64Array;
} {
  const { offsets, terms, weights } = rows;
  return offsets instanceof Int32Array && terms instanceof Int32Array && weights instanceof Float64Array;
}

function isTokens(rows: Rows): rows is Rows & { readonly offsets: Int32Array; readonly vectors: Float32Array } {
  return rows.offsets instanceof Int32Array && rows.vectors instanceof Float32Array;
}
