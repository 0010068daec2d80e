import { TenbinError } from '../core/errors.js';
import { type Shard, shardsOf } from './encode-shards.js';
import type { CachedEncoding } from './encoding-cache.js';
import { joinedEncoding, storedBytes } from './join-encodings.js';
import { modelWork } from './model-work.js';
import type { EncodedTexts } from './open-model.js';
import type {
  BackendOutput,
  Conditions,
  Engine,
  ModelRuntime,
  PretrainedModel,
  Texts,
  TokenCounts,
  Work,
} from './system.js';

/** Documents made ready in one piece, or as blocks that each fit the memory that was set. */
export type EncodedTask =
  | { readonly kind: 'whole'; readonly output: BackendOutput }
  | { readonly kind: 'blocks'; readonly blocks: () => AsyncIterable<EncodedBlock> };

export interface EncodedBlock {
  readonly start: number;
  readonly docCount: number;
  readonly output: BackendOutput;
}

/** The tensors of a task's texts, from the cache where they are there. */
export async function encodeTask(texts: Texts, model: PretrainedModel, engine: Engine): Promise<EncodedTask> {
  const runtime = runtimeOf(engine, model);
  const queries = await readAll(shardsOf({ model, runtime }, texts.queries, 'query'));
  const shards = shardsOf({ model, runtime }, texts.docs, 'document');
  const docs = await readUpTo(shards, runtime);
  const output = (some: readonly CachedEncoding[]) => outputOf(model, some, queries);
  if (docs !== null) return { kind: 'whole', output: output(docs) };
  return { kind: 'blocks', blocks: () => blocksOf(shards, runtime, output) };
}

/** Refused without a way to files and services. */
export function runtimeOf({ runtime }: Engine, { id }: PretrainedModel): ModelRuntime {
  if (runtime !== undefined) return runtime;
  throw new TenbinError('refused', {
    what: 'This model needs files or a service, and this engine has no way to them',
    value: id,
    fix: 'Give the engine a `runtime`.',
  });
}

async function readAll(shards: readonly Shard[]): Promise<CachedEncoding[]> {
  const read: CachedEncoding[] = [];
  for (const shard of shards) read.push(await shard.read());
  return read;
}

/**
 * Every shard, or null when together they are more than may be held: they are in the cache then, and what its limit lets go
 * is encoded again in each pass.
 */
async function readUpTo(shards: readonly Shard[], runtime: ModelRuntime): Promise<CachedEncoding[] | null> {
  const read: CachedEncoding[] = [];
  let bytes = 0;
  let fits = true;
  for (const shard of shards) {
    const encoding = await shard.read();
    bytes += storedBytes(encoding.encoded);
    fits &&= bytes <= runtime.memoryBytes || runtime.cache === null;
    if (fits) read.push(encoding);
    else read.length = 0;
  }
  return fits ? read : null;
}

async function* blocksOf(
  shards: readonly Shard[],
  { memoryBytes }: ModelRuntime,
  output: (docs: readonly CachedEncoding[]) => BackendOutput,
): AsyncGenerator<EncodedBlock> {
  let held: CachedEncoding[] = [];
  let start = 0;
  let docCount = 0;
  let bytes = 0;
  for (const shard of shards) {
    const next = await shard.read();
    const size = storedBytes(next.encoded);
    if (docCount > 0 && bytes + size > memoryBytes) {
      yield { start, docCount, output: output(held) };
      [held, start, docCount, bytes] = [[], shard.start, 0, 0];
    }
    held.push(next);
    docCount += shard.count;
    bytes += size;
  }
  if (docCount > 0) yield { start, docCount, output: output(held) };
}

function outputOf(
  model: PretrainedModel,
  docs: readonly CachedEncoding[],
  queries: readonly CachedEncoding[],
): BackendOutput {
  const of = (list: readonly CachedEncoding[]): EncodedTexts[] => list.map(({ encoded }) => encoded);
  const one = queries[0] ?? docs[0];
  return {
    encoding: joinedEncoding(of(docs), of(queries), model),
    encodeWork: of(queries).flatMap((encoded) => textWorks(model, encoded)),
    ...tokensOf(model, of(docs), of(queries)),
    modelBytes: one?.modelBytes ?? 0,
    conditions: {
      ...one?.conditions,
      ...tokenConditions('docs', of(docs)),
      ...tokenConditions('queries', of(queries)),
    },
  };
}

/** A service that does not count its tokens was called once for each text. */
function textWorks(model: PretrainedModel, encoded: EncodedTexts): readonly Work[] {
  const { tokens } = encoded;
  if (tokens === null) return Array.from({ length: textCount(encoded) }, () => ({ calls: 1 }));
  return Array.from(tokens.counts, (_, text) => modelWork(model, tokens, text));
}

function textCount(encoded: EncodedTexts): number {
  return encoded.kind === 'dense' ? encoded.vectors.length / encoded.dims : encoded.offsets.length - 1;
}

function tokensOf(
  { id }: PretrainedModel,
  docs: readonly EncodedTexts[],
  queries: readonly EncodedTexts[],
): { readonly tokens?: TokenCounts } {
  const [ofDocs, ofQueries] = [countsOf(docs), countsOf(queries)];
  return ofDocs === null || ofQueries === null ? {} : { tokens: { model: id, docs: ofDocs, queries: ofQueries } };
}

function countsOf(list: readonly EncodedTexts[]): Int32Array | null {
  const counts = list.flatMap(({ tokens }) => (tokens === null ? [] : [tokens.counts]));
  if (counts.length < list.length) return null;
  return Int32Array.from(counts.flatMap((some) => [...some]));
}

function tokenConditions(noun: 'docs' | 'queries', list: readonly EncodedTexts[]): Conditions {
  const facts = tokenTotals(list);
  if (facts === null) return {};
  const mean = facts.texts === 0 ? 0 : facts.tokens / facts.texts;
  return { [`tokens.${noun}.mean`]: mean, [`tokens.${noun}.truncated`]: facts.truncated };
}

function tokenTotals(list: readonly EncodedTexts[]) {
  let [texts, tokens, truncated] = [0, 0, 0];
  for (const encoded of list) {
    if (encoded.tokens === null) return null;
    const { counts, truncated: cut } = encoded.tokens;
    texts += counts.length;
    for (let i = 0; i < counts.length; i++) {
      tokens += counts[i];
      truncated += cut[i];
    }
  }
  return { texts, tokens, truncated };
}
