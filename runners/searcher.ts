import { TenbinError } from '../core/errors.js';
import { type Arena, type PositionPool, prepareSteps } from './arena.js';
import { stages } from './facts.js';
import { fuse } from './fuse.js';
import type { System } from './grammar.js';
import type {
  Awaitable,
  Conditions,
  Counted,
  Hits,
  Index,
  Model,
  Prepared,
  Stage,
  StagedWork,
  TokenCounts,
  Work,
} from './system.js';
import { addStages, totalWork, workOfQuery } from './work.js';

/** What a searcher gives: hits whose work is told by stage. */
export interface StagedHits extends Hits {
  readonly stages: StagedWork;
}

/**
 * Watches one request: each stage is run through it, and queries are encoded by it as they come. Without one, queries were
 * encoded before, and nothing is timed.
 */
export interface Trace {
  readonly stage: <T>(stage: Stage, run: () => Awaitable<T>) => Promise<T>;
  /** Reads the query with that model, before its index is searched. */
  readonly encode: (model: Model, query: number) => Promise<void>;
}

/** A system bound to a task: what the run asks, one query at a time. */
export interface Searcher {
  readonly bytes: number;
  readonly bytesPerDoc: number;
  /** Null where every stage reads text. */
  readonly bytesPerQuery: number | null;
  readonly modelBytes: number;
  readonly conditions: Conditions;
  /** By model, each once. */
  readonly tokens: readonly TokenCounts[];
  /** What is known only after the queries were answered. */
  readonly counted?: () => Counted;
  /** A frozen pool: nothing runs, and what made it is in no cost. */
  readonly frozen?: true;
  /** It reads its corpus in blocks, once for all who ask at the same time. */
  readonly overBlocks?: true;
  readonly search: (query: number, k: number, among?: Int32Array, trace?: Trace) => Awaitable<StagedHits>;
  /** Several queries at once, where that is faster; the answers are the same. */
  readonly searchBlock?: (queries: Int32Array, k: number) => Awaitable<readonly StagedHits[]>;
}

/** Lists that a live fusion reads of each part: the depth of the frozen pools. */
const fusionDepth = 500;

/** Binds a system to an arena: models are prepared (once per arena), stages composed. */
export async function bindSearcher(system: System, arena: Arena): Promise<Searcher> {
  switch (system.kind) {
    case 'model':
      return preparedSearcher(await prepareSteps(arena, system.model, system.variants), system.model);
    case 'pool':
      return poolSearcher(system.pool, system.forced, arena);
    case 'fusion':
      return fusionSearcher(
        await Promise.all(system.parts.map((part) => bindSearcher(part, arena))),
        system.rrfK,
        arena,
      );
    case 'pipeline': {
      const [first, second] = [await bindSearcher(system.first, arena), await bindSearcher(system.second, arena)];
      return pipelineSearcher(first, second, system.depth);
    }
  }
}

const unwatched: Trace = { stage: async (_, run) => run(), encode: async () => undefined };

function preparedSearcher(prepared: Prepared, model: Model): Searcher {
  const { encodeWork, modelBytes, conditions, tokens } = prepared;
  const { index, counted } = prepared.countingIndex?.() ?? { index: prepared.index };
  const own = ownStage(model);
  const staged = (query: number, hits: Hits) => withStages(hits, workOfQuery(encodeWork, query), own);
  return {
    bytes: index.bytes,
    bytesPerDoc: index.bytesPerDoc,
    bytesPerQuery: index.bytesPerQuery ?? null,
    modelBytes,
    conditions,
    tokens: tokens === undefined ? [] : [tokens],
    ...(counted && { counted }),
    ...(prepared.encoding?.kind === 'blocks' && { overBlocks: true }),
    search: async (query, k, among, trace = unwatched) => {
      await trace.encode(model, query);
      const hits =
        among === undefined && index.steps !== undefined
          ? await stepByStep(index.steps, query, k, trace)
          : await trace.stage(own, () => index.search(query, k, among));
      return staged(query, hits);
    },
    ...(index.searchBlock && {
      searchBlock: async (queries: Int32Array, k: number) =>
        ((await index.searchBlock?.(queries, k)) ?? []).map((hits, i) => staged(queries[i], hits)),
    }),
  };
}

/** A reranker has nothing to search: what it does with a list is reranking, wherever the list came from. */
function ownStage({ family }: Model): Stage {
  return family === 'reranker' ? 'rerank' : 'search';
}

async function stepByStep(steps: NonNullable<Index['steps']>, query: number, k: number, trace: Trace): Promise<Hits> {
  let before: Hits | null = null;
  for (const { stage, run } of steps) {
    const given: Hits | null = before;
    before = await trace.stage(stage, () => run(query, k, given));
  }
  if (before === null) throw new Error('An index names its steps and has none.');
  return before;
}

function withStages(hits: Hits, encode: Work, own: Stage): StagedHits {
  const after: StagedWork = hits.stages ?? { [own]: hits.work };
  const stages = Object.keys(encode).length === 0 ? after : addStages({ encode }, after);
  return { ...hits, work: totalWork(stages), stages };
}

/** Of the second stage of a pipeline: what it searches or rescores there is reranking. */
function asReranking(staged: StagedWork): StagedWork {
  return stages.reduce<StagedWork>((sum, stage) => {
    const work = staged[stage];
    if (work === undefined) return sum;
    return addStages(sum, { [stage === 'encode' ? 'encode' : 'rerank']: work });
  }, {});
}

function reranking(trace: Trace): Trace {
  return { ...trace, stage: (stage, run) => trace.stage(stage === 'encode' ? 'encode' : 'rerank', run) };
}

/** A stage that counts nothing, so that its cost is unknown and not 0; forced rows come along at any depth, since the safeguard put them in. */
function poolSearcher(name: string, forced: 'with' | 'without', { pools }: Arena): Searcher {
  const lists = pools.get(name);
  if (lists === undefined) throw noPool(name, [...pools.keys()]);
  const search = (query: number, k: number) => cutPool(lists[query], k, forced);
  const conditions = { pool: name, forcedRows: forced };
  return { bytes: 0, bytesPerDoc: 0, bytesPerQuery: null, modelBytes: 0, conditions, tokens: [], frozen: true, search };
}

function noPool(name: string, known: readonly string[]): TenbinError {
  const there = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  return new TenbinError('refused', { what: 'This nano-set has no such pool', value: name, fix: there });
}

/** The first `k` rows that no safeguard put in, all tied with the last of them, and the forced rows if wanted. */
function cutPool(list: PositionPool | undefined, k: number, forced: 'with' | 'without'): StagedHits {
  const { docs, scores, forced: rows } = list ?? noCandidates;
  const isForced = new Set(rows);
  const kept: number[] = [];
  let free = 0;
  let last = Number.NaN;
  for (let i = 0; i < docs.length; i++) {
    if (isForced.has(docs[i])) {
      if (forced === 'with') kept.push(i);
    } else if (free < k || (k > 0 && scores[i] === last)) {
      kept.push(i);
      last = scores[i];
      free++;
    }
  }
  const scored = Float64Array.from(kept, (i) => scores[i]);
  return { docs: Int32Array.from(kept, (i) => docs[i]), scores: scored, work: {}, stages: { search: {} } };
}

const noCandidates: PositionPool = { docs: new Int32Array(), scores: new Float64Array(), forced: new Int32Array() };

/** The first stage's best `depth` (and all tied with the last of them), reordered by the second. */
function pipelineSearcher(first: Searcher, second: Searcher, depth: number): Searcher {
  const search: Searcher['search'] = async (query, k, among, trace) => {
    const candidates = await first.search(query, depth, among, trace);
    const hits = await second.search(query, k, candidates.docs, trace && reranking(trace));
    const stages = addStages(first.frozen ? {} : candidates.stages, asReranking(hits.stages));
    return { ...hits, work: totalWork(stages), stages };
  };
  return {
    ...together([first, second]),
    search,
    ...(second.overBlocks && {
      searchBlock: (queries: Int32Array, k: number) =>
        Promise.all(Array.from(queries, async (query) => search(query, k))),
    }),
  };
}

function fusionSearcher(parts: readonly Searcher[], rrfK: number, { places }: Arena): Searcher {
  const { conditions, ...sums } = together(parts);
  return {
    ...sums,
    conditions: { ...conditions, 'rrf.k': rrfK, 'rrf.depth': fusionDepth },
    search: async (query, k, among, trace) => {
      const lists = await listsOf(parts, (part) => part.search(query, fusionDepth, among, trace), trace);
      const fused = fuse(
        lists.map((list) => cutByPlace(list, fusionDepth, places)),
        rrfK,
        places,
      );
      const end = endOfTie(fused.scores, k);
      const stages = lists.reduce<StagedWork>((sum, list) => addStages(sum, list.stages), {});
      return { docs: fused.docs.slice(0, end), scores: fused.scores.slice(0, end), work: totalWork(stages), stages };
    },
  };
}

/** Parts that are watched take turns: times of two that run at once would tell of neither. */
async function listsOf(
  parts: readonly Searcher[],
  ask: (part: Searcher) => Awaitable<StagedHits>,
  trace: Trace | undefined,
): Promise<readonly StagedHits[]> {
  if (trace === undefined) return Promise.all(parts.map(ask));
  const lists: StagedHits[] = [];
  for (const part of parts) lists.push(await ask(part));
  return lists;
}

function together(parts: readonly Searcher[]): Omit<Searcher, 'search'> {
  const sum = (key: 'bytes' | 'bytesPerDoc' | 'modelBytes') => parts.reduce((total, part) => total + part[key], 0);
  const conditions = Object.assign({}, ...parts.map((part, i) => prefixed(part.conditions, `stage${i + 1}.`)));
  const perQuery = parts.flatMap(({ bytesPerQuery }) => (bytesPerQuery === null ? [] : [bytesPerQuery]));
  const sums = {
    bytes: sum('bytes'),
    bytesPerDoc: sum('bytesPerDoc'),
    bytesPerQuery: perQuery.length === 0 ? null : perQuery.reduce((total, bytes) => total + bytes, 0),
    modelBytes: sum('modelBytes'),
    conditions,
    tokens: [...new Map(parts.flatMap(({ tokens }) => tokens).map((counts) => [counts.model, counts])).values()],
  };
  return parts.some(({ counted }) => counted !== undefined) ? { ...sums, counted: () => countedTogether(parts) } : sums;
}

function countedTogether(parts: readonly Searcher[]): Counted {
  const counted = parts.map((part) => part.counted?.() ?? { conditions: {}, modelBytes: part.modelBytes });
  return {
    conditions: Object.assign({}, ...counted.map(({ conditions }, i) => prefixed(conditions, `stage${i + 1}.`))),
    modelBytes: counted.reduce((total, { modelBytes }) => total + modelBytes, 0),
  };
}

function prefixed(conditions: Searcher['conditions'], prefix: string): Searcher['conditions'] {
  return Object.fromEntries(Object.entries(conditions).map(([key, value]) => [prefix + key, value]));
}

/** At most `k` positions in a total order: by score, then by keyed-hash place, as ranks need it. */
export function cutByPlace(hits: Pick<Hits, 'docs' | 'scores'>, k: number, places: Int32Array): Int32Array {
  return inTotalOrder(hits, places).docs.slice(0, k);
}

/** Hits with their ties in keyed-hash order. They come by descending score, so only the insides of ties are sorted. */
export function inTotalOrder({ docs, scores }: Pick<Hits, 'docs' | 'scores'>, places: Int32Array) {
  const ordered = docs.slice();
  for (let start = 0; start < scores.length; ) {
    let end = start + 1;
    while (end < scores.length && scores[end] === scores[start]) end++;
    if (end - start > 1) ordered.subarray(start, end).sort((a, b) => places[a] - places[b]);
    start = end;
  }
  return { docs: ordered, scores };
}

/** The first index after `k` at which the score changes: no cut inside a tie group. */
function endOfTie(scores: Float64Array, k: number): number {
  let end = Math.min(k, scores.length);
  while (end > 0 && end < scores.length && scores[end] === scores[end - 1]) end++;
  return end;
}
