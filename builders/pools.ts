import type { DocId, QueryId } from '../core/ids.js';
import { type Arena, arenaOf } from '../runners/arena.js';
import { fuse } from '../runners/fuse.js';
import { defaultRrfK, parseSystem } from '../runners/grammar.js';
import type { ModelCatalog } from '../runners/models/catalog.js';
import { rankAll } from '../runners/rank.js';
import { bindSearcher } from '../runners/searcher.js';
import type { Analyzer, ModelRuntime } from '../runners/system.js';
import type { Candidates, NanoSet, Pool, Ranking } from '../tasks/types.js';
import type { BuildOptions } from './options.js';
import { safeguard } from './safeguard.js';

/** Models that were looked up, and the way to run them. */
export interface BuildModels {
  readonly catalog: ModelCatalog;
  readonly runtime: ModelRuntime;
}

export interface PoolRequest {
  readonly nano: Pick<NanoSet, 'docs' | 'queries' | 'judged'>;
  readonly analyzer: Analyzer;
  readonly options: Pick<BuildOptions, 'depth' | 'rrfK' | 'poolSize' | 'safeguard' | 'dense' | 'seed'>;
  readonly onStep: (step: string) => void;
  /** For a dense model that is not part of the program. */
  readonly models?: BuildModels | undefined;
}

export interface MadePool {
  readonly pool: Pool;
  /** The system that made it. */
  readonly system: string;
}

/** The lexical half of every pool; part of the format (formats.md §2), so not an option. */
export const lexicalSystem = 'bm25';

/** The frozen pools: two systems run on the task, and the fusion of the two runs. */
export async function makePools(request: PoolRequest): Promise<ReadonlyMap<string, MadePool>> {
  const { nano, analyzer, options, onStep, models } = request;
  const engine = { analyzer, seed: options.seed, ...(models && { runtime: models.runtime }) };
  const arena = arenaOf({ ...nano, pools: new Map() }, engine);
  onStep(`ranking with ${lexicalSystem}`);
  const lexical = await topOf(lexicalSystem, arena, request);
  onStep(`ranking with ${options.dense}`);
  // A pool has candidates for every query, so the dense half ranks all documents, even for one without a known word.
  const dense = await topOf(options.dense, arena, request, Int32Array.from(nano.docs.keys()));
  onStep('fusing');
  const bm25 = mapRankings(lexical, matchesOnly);
  return new Map([
    ['bm25', { pool: bm25, system: lexicalSystem }],
    ['dense', { pool: mapRankings(dense, unforced), system: options.dense }],
    ['hybrid', { pool: fusePools([bm25, dense], arena, request), system: fusionSystem(options) }],
  ]);
}

/** A system's best `depth` documents for each query, cut by keyed hash inside a tie. */
async function topOf(
  id: string,
  arena: Arena,
  { nano, options: { depth }, models }: PoolRequest,
  among?: Int32Array,
): Promise<ReadonlyMap<QueryId, Ranking>> {
  const searcher = await bindSearcher(parseSystem(id, models?.catalog), arena);
  const { rankings } = await rankAll({
    nano,
    arena,
    searcher,
    system: id,
    ...(among && { among }),
    depth,
    clock: () => 0,
  });
  return mapRankings(rankings, ({ docs, scores }) => ({ docs: docs.slice(0, depth), scores: scores.slice(0, depth) }));
}

/** Documents without a term of the query are no candidates: HAKARI-Bench pads its lists with them. */
function matchesOnly({ docs, scores }: Ranking): Candidates {
  const end = scores.findIndex((score) => score <= 0);
  const kept = end < 0 ? docs.length : end;
  return { docs: docs.slice(0, kept), scores: scores.slice(0, kept), forced: [] };
}

function unforced({ docs, scores }: Ranking): Candidates {
  return { docs, scores, forced: [] };
}

function fusePools(
  lists: readonly ReadonlyMap<QueryId, Ranking>[],
  { places }: Arena,
  { nano, options }: PoolRequest,
): Pool {
  const positions = new Map<DocId, number>(nano.docs.map(({ id }, position) => [id, position]));
  const toPosition = (id: DocId) => positions.get(id) ?? -1;
  const pool = new Map<QueryId, Candidates>();
  for (const { id } of nano.queries) {
    const ranked = lists.map((list) => (list.get(id)?.docs ?? []).map(toPosition));
    const rows = safeguard({
      fused: fuse(ranked, options.rrfK, places),
      size: options.poolSize,
      policy: options.safeguard,
      grades: new Map([...(nano.judged.get(id) ?? [])].map(([doc, grade]) => [toPosition(doc), grade])),
      places,
    });
    const toId = (position: number) => nano.docs[position].id;
    pool.set(id, { docs: rows.docs.map(toId), scores: rows.scores, forced: rows.forced.map(toId) });
  }
  return pool;
}

/** The live system that gives the same list as the pool, read to the same depth. */
function fusionSystem({ rrfK, dense }: PoolRequest['options']): string {
  const head = rrfK === defaultRrfK ? 'rrf' : `rrf@${rrfK}`;
  return `${head}(${lexicalSystem}, ${dense})`;
}

function mapRankings<T>(
  rankings: ReadonlyMap<QueryId, Ranking>,
  change: (ranking: Ranking) => T,
): ReadonlyMap<QueryId, T> {
  return new Map([...rankings].map(([query, ranking]) => [query, change(ranking)]));
}
