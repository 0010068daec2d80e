import { TenbinError } from '../core/errors.js';
import { type Arena, type PositionPool, prepareSteps } from './arena.js';
import { fuse } from './fuse.js';
import type { System } from './grammar.js';
import type { Awaitable, Conditions, Counted, Hits, Prepared, Work } from './system.js';
import { addWork, workOfQuery } from './work.js';

/** A system bound to a task: what the run asks, one query at a time. */
export interface Searcher {
  readonly bytes: number;
  readonly bytesPerDoc: number;
  readonly modelBytes: number;
  readonly conditions: Conditions;
  /** What is known only after the queries were answered. */
  readonly counted?: () => Counted;
  /** It reads its corpus in blocks, once for all who ask at the same time. */
  readonly overBlocks?: true;
  readonly search: (query: number, k: number, among?: Int32Array) => Awaitable<Hits>;
  /** Several queries at once, where that is faster; the answers are the same. */
  readonly searchBlock?: (queries: Int32Array, k: number) => Awaitable<readonly Hits[]>;
}

/** Lists that a live fusion reads of each part: the depth of the frozen pools. */
const fusionDepth = 500;

/** Binds a system to an arena: models are prepared (once per arena), stages composed. */
export async function bindSearcher(system: System, arena: Arena): Promise<Searcher> {
  switch (system.kind) {
    case 'model':
      return preparedSearcher(await prepareSteps(arena, system.model, system.variants));
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

function preparedSearcher(prepared: Prepared): Searcher {
  const { encodeWork, modelBytes, conditions } = prepared;
  const { index, counted } = prepared.countingIndex?.() ?? { index: prepared.index };
  return {
    bytes: index.bytes,
    bytesPerDoc: index.bytesPerDoc,
    modelBytes,
    conditions,
    ...(counted && { counted }),
    ...(prepared.encoding?.kind === 'blocks' && { overBlocks: true }),
    search: async (query, k, among) => withWork(workOfQuery(encodeWork, query), await index.search(query, k, among)),
    ...(index.searchBlock && {
      searchBlock: async (queries: Int32Array, k: number) =>
        ((await index.searchBlock?.(queries, k)) ?? []).map((hits, i) =>
          withWork(workOfQuery(encodeWork, queries[i]), hits),
        ),
    }),
  };
}

function withWork(work: Work, hits: Hits): Hits {
  return { ...hits, work: addWork(work, hits.work) };
}

/** A frozen pool costs nothing at query time; forced rows come along at any depth, since the safeguard put them in. */
function poolSearcher(name: string, forced: 'with' | 'without', { pools }: Arena): Searcher {
  const lists = pools.get(name);
  if (lists === undefined) throw noPool(name, [...pools.keys()]);
  const search = (query: number, k: number): Hits => cutPool(lists[query], k, forced);
  return { bytes: 0, bytesPerDoc: 0, modelBytes: 0, conditions: { pool: name, forcedRows: forced }, search };
}

function noPool(name: string, known: readonly string[]): TenbinError {
  const there = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  return new TenbinError('refused', { what: 'This nano-set has no such pool', value: name, fix: there });
}

/** The first `k` rows that no safeguard put in, all tied with the last of them, and the forced rows if wanted. */
function cutPool(list: PositionPool | undefined, k: number, forced: 'with' | 'without'): Hits {
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
  return { docs: Int32Array.from(kept, (i) => docs[i]), scores: Float64Array.from(kept, (i) => scores[i]), work: {} };
}

const noCandidates: PositionPool = { docs: new Int32Array(), scores: new Float64Array(), forced: new Int32Array() };

/** The first stage's best `depth` (and all tied with the last of them), reordered by the second. */
function pipelineSearcher(first: Searcher, second: Searcher, depth: number): Searcher {
  const search = async (query: number, k: number, among?: Int32Array): Promise<Hits> => {
    const candidates = await first.search(query, depth, among);
    const hits = await second.search(query, k, candidates.docs);
    return { ...hits, work: addWork(candidates.work, hits.work) };
  };
  return {
    ...together([first, second]),
    search,
    ...(second.overBlocks && {
      searchBlock: (queries: Int32Array, k: number) => Promise.all(Array.from(queries, (query) => search(query, k))),
    }),
  };
}

function fusionSearcher(parts: readonly Searcher[], rrfK: number, { places }: Arena): Searcher {
  const { conditions, ...sums } = together(parts);
  return {
    ...sums,
    conditions: { ...conditions, 'rrf.k': rrfK, 'rrf.depth': fusionDepth },
    search: async (query, k, among) => {
      const lists = await Promise.all(parts.map((part) => part.search(query, fusionDepth, among)));
      const fused = fuse(
        lists.map((list) => cutByPlace(list, fusionDepth, places)),
        rrfK,
        places,
      );
      const end = endOfTie(fused.scores, k);
      const work = lists.reduce<Work>((sum, list) => addWork(sum, list.work), {});
      return { docs: fused.docs.slice(0, end), scores: fused.scores.slice(0, end), work };
    },
  };
}

function together(parts: readonly Searcher[]): Omit<Searcher, 'search'> {
  const sum = (key: 'bytes' | 'bytesPerDoc' | 'modelBytes') => parts.reduce((total, part) => total + part[key], 0);
  const conditions = Object.assign({}, ...parts.map((part, i) => prefixed(part.conditions, `stage${i + 1}.`)));
  const sums = { bytes: sum('bytes'), bytesPerDoc: sum('bytesPerDoc'), modelBytes: sum('modelBytes'), conditions };
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
