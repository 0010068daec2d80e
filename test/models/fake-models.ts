import { sha256 } from '../../core/digest.js';
import { analyzerFor } from '../../runners/analyzers/index.js';
import type { EncodedTexts, OpenModel, PairScorer, TextEncoder } from '../../runners/open-model.js';
import type { CacheEntry, Engine, ModelRuntime, PretrainedModel, VectorCache } from '../../runners/system.js';

/** A cache in memory that tells what happened to it. */
export function memoryCache() {
  const entries = new Map<string, CacheEntry>();
  const cache: VectorCache = {
    get: async (key) => entries.get(key) ?? null,
    put: async (key, entry) => {
      entries.set(key, entry);
    },
  };
  return { cache, entries };
}

export interface FakeRuntime {
  readonly engine: Engine;
  /** Texts and pairs that a model really worked on. */
  readonly worked: string[];
  readonly entries: Map<string, CacheEntry>;
}

export function fakeRuntime(given: Partial<ModelRuntime> = {}): FakeRuntime {
  const { cache, entries } = memoryCache();
  const worked: string[] = [];
  const opened = new Map<string, Promise<OpenModel>>();
  const use = (model: PretrainedModel): Promise<OpenModel> => {
    const open = opened.get(model.id) ?? model.open({ ...access, onNote: (text) => worked.push(text) });
    opened.set(model.id, open);
    return open;
  };
  const runtime: ModelRuntime = { use, cache, memoryBytes: 1e9, ...given };
  return { engine: { analyzer: analyzerFor('en'), seed: 17, runtime }, worked, entries };
}

const access = {
  device: 'cpu',
  threads: 1,
  environment: {},
  logFolder: '',
} as const;

/** Numbers between −1 and 1 that depend on the text alone. */
function numbersOf(text: string, count: number): number[] {
  const hex = sha256(text);
  return Array.from({ length: count }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16) / 127.5 - 1);
}

const dims = 4;

/** A model of any family whose tensors come from the digests of texts; it cuts what is longer than 20 characters. */
export function fakeModel(family: PretrainedModel['family'], id = `fake-${family}`): PretrainedModel {
  const base = { kind: 'pretrained', family, id, summary: 'digests as tensors', identity: { fake: id } } as const;
  return {
    ...base,
    open: async ({ onNote }) => (family === 'reranker' ? scorer(onNote) : encoder(family, onNote)),
  };
}

function encoder(family: Exclude<PretrainedModel['family'], 'reranker'>, onWork: (text: string) => void): TextEncoder {
  return {
    kind: 'encoder',
    conditions: { 'fake.version': 1 },
    modelBytes: 99,
    encode: async (texts, _role, onStep) => {
      for (const text of texts) onWork(text);
      onStep?.(texts.length);
      return { ...tensorsOf(family, texts), tokens: tokensOf(texts) };
    },
    tokenIds: () => null,
    close: async () => undefined,
  };
}

function tensorsOf(family: Exclude<PretrainedModel['family'], 'reranker'>, texts: readonly string[]): EncodedTexts {
  const offsets = Int32Array.from({ length: texts.length + 1 }, (_, i) => 2 * i);
  const vectors = (each: number) => Float32Array.from(texts.flatMap((text) => numbersOf(text, each * dims)));
  if (family === 'dense') return { kind: 'dense', dims, vectors: vectors(1), tokens: null };
  if (family === 'late-interaction') return { kind: family, dims, offsets, vectors: vectors(2), tokens: null };
  const rows = texts.map((text) => numbersOf(text, 2).map((value) => Math.abs(value) + 0.01));
  const terms = Int32Array.from(texts.flatMap((text) => [text.length % 3, 3 + (text.length % 2)]));
  return { kind: 'sparse', termCount: 5, offsets, terms, weights: Float32Array.from(rows.flat()), tokens: null };
}

function tokensOf(texts: readonly string[]) {
  return {
    counts: Int32Array.from(texts, (text) => Math.min(20, text.length)),
    truncated: Uint8Array.from(texts, (text) => (text.length > 20 ? 1 : 0)),
  };
}

function scorer(onWork: (text: string) => void): PairScorer {
  return {
    kind: 'scorer',
    probability: 'sigmoid',
    conditions: { 'fake.version': 1 },
    modelBytes: 77,
    score: async (pairs, onStep) => {
      for (const { query, document } of pairs) onWork(`${query}|${document}`);
      onStep?.(pairs.length);
      const margins = Float64Array.from(pairs, ({ query, document }) => numbersOf(`${query}|${document}`, 1)[0]);
      return { margins, tokens: tokensOf(pairs.map(({ document }) => document)) };
    },
    tokenIds: () => null,
    close: async () => undefined,
  };
}
