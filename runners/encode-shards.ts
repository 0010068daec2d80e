import { TenbinError } from '../core/errors.js';
import { type CachedEncoding, encodingKey, fromEntry, toEntry } from './encoding-cache.js';
import type { Role } from './open-model.js';
import type { ModelRuntime, PretrainedModel } from './system.js';

/** Texts that are encoded, and kept in the cache, together: a killed run loses at most so many. */
const shardTexts = 1024;

/** One shard of a list of texts; `read` gives its tensors, from the cache where they are there. */
export interface Shard {
  readonly start: number;
  readonly count: number;
  readonly read: () => Promise<CachedEncoding>;
}

/** A list of texts as shards. Nothing is encoded before a shard is read; texts of a second reading come from the cache. */
export function shardsOf(
  { model, runtime }: { readonly model: PretrainedModel; readonly runtime: ModelRuntime },
  texts: readonly string[],
  role: Role,
): readonly Shard[] {
  const count = Math.max(1, Math.ceil(texts.length / shardTexts));
  return Array.from({ length: count }, (_, i) => {
    const slice = texts.slice(i * shardTexts, (i + 1) * shardTexts);
    const read = () => readShard({ model, runtime }, slice, role);
    return { start: i * shardTexts, count: slice.length, read };
  });
}

async function readShard(
  { model, runtime }: { readonly model: PretrainedModel; readonly runtime: ModelRuntime },
  texts: readonly string[],
  role: Role,
): Promise<CachedEncoding> {
  const key = encodingKey(model, role, texts);
  const entry = (await runtime.cache?.get(key)) ?? null;
  const known = entry === null ? null : fromEntry(entry);
  if (known !== null && rowsOf(known) === texts.length) {
    runtime.onStep?.(texts.length);
    return known;
  }
  const made = await encodeShard({ model, runtime }, texts, role);
  await runtime.cache?.put(key, toEntry(model.id, made));
  return made;
}

async function encodeShard(
  { model, runtime }: { readonly model: PretrainedModel; readonly runtime: ModelRuntime },
  texts: readonly string[],
  role: Role,
): Promise<CachedEncoding> {
  const opened = await runtime.use(model);
  if (opened.kind !== 'encoder') throw notAnEncoder(model);
  const encoded = await opened.encode(texts, role, runtime.onStep);
  const made = { encoded, conditions: opened.conditions, modelBytes: opened.modelBytes };
  if (encoded.kind === model.family && rowsOf(made) === texts.length) return made;
  throw new TenbinError('malformed', {
    what: `${model.id} gave tensors of another kind or number than was asked for`,
    value: `${encoded.kind}, ${rowsOf(made)} rows for ${texts.length} texts`,
    fix: 'This is a mistake in its backend, or the service answers for another model.',
  });
}

function rowsOf({ encoded }: CachedEncoding): number {
  return encoded.kind === 'dense' ? encoded.vectors.length / encoded.dims : encoded.offsets.length - 1;
}

function notAnEncoder({ id }: PretrainedModel): TenbinError {
  return new TenbinError('refused', {
    what: 'This model scores pairs and gives no vectors',
    value: id,
    fix: `Let it reorder a list: \`hybrid > ${id}@100\`.`,
  });
}
