import { TenbinError } from '../core/errors.js';
import type { DocId, QueryId } from '../core/ids.js';
import { keyedPlaces } from '../core/keyed-hash.js';
import type { Candidates, NanoSet } from '../tasks/types.js';
import { changedBlocks } from './blocks.js';
import { prepareModel } from './families/index.js';
import type { Engine, Model, Prepared, Texts, Variant } from './system.js';

/** The key of every tie-break by keyed hash; part of a run's digest. */
export const tieKey = 'tenbin/tie@1';

/** A frozen list of document positions for each query. */
export interface PositionPool {
  readonly docs: Int32Array;
  readonly scores: Float64Array;
  readonly forced: Int32Array;
}

/** Everything that systems share on one task. Positions only: ids and judgements stay outside. */
export interface Arena {
  readonly texts: Texts;
  readonly engine: Engine;
  /** Place of each document in keyed-hash order. */
  readonly places: Int32Array;
  readonly pools: ReadonlyMap<string, readonly PositionPool[]>;
  /** One encoding pass serves all variants of a model: prepared steps by their canonical text. */
  readonly prepared: Map<string, Promise<Prepared>>;
}

export function arenaOf(nano: Pick<NanoSet, 'docs' | 'queries' | 'pools'>, engine: Engine): Arena {
  const ids = nano.docs.map(({ id }) => id);
  const positions = new Map<DocId, number>(ids.map((id, position) => [id, position]));
  const texts = { docs: nano.docs.map(({ text }) => text), queries: nano.queries.map(({ text }) => text) };
  const pools = new Map<string, readonly PositionPool[]>();
  for (const [name, pool] of nano.pools) {
    const lists = nano.queries.map(({ id }) => positionPool(pool.get(id as QueryId), positions));
    pools.set(name, lists);
  }
  return { texts, engine, places: keyedPlaces(ids, tieKey), pools, prepared: new Map() };
}

function positionPool(candidates: Candidates | undefined, positions: ReadonlyMap<DocId, number>): PositionPool {
  const { docs = [], scores = [], forced = [] } = candidates ?? {};
  const toPosition = (id: DocId) => positions.get(id) ?? -1;
  return {
    docs: Int32Array.from(docs, toPosition),
    scores: Float64Array.from(scores),
    forced: Int32Array.from(forced, toPosition),
  };
}

/** A model with its variants applied one after the other; every step is made once per arena. */
export function prepareSteps(arena: Arena, model: Model, variants: readonly Variant[]): Promise<Prepared> {
  const key = [model.id, ...variants.map(({ id }) => id)].join('+');
  const known = arena.prepared.get(key);
  if (known !== undefined) return known;
  const last = variants.at(-1);
  const made =
    last === undefined
      ? prepareModel(arena.texts, model, arena.engine)
      : prepareSteps(arena, model, variants.slice(0, -1)).then((before) => applyVariant(before, last));
  arena.prepared.set(key, made);
  return made;
}

/** A variant that does not fit is refused: the planner passes the system by and prints the reason. */
async function applyVariant(prepared: Prepared, variant: Variant): Promise<Prepared> {
  const { encoding } = prepared;
  if (encoding?.kind === 'blocks' && variant.looksAt !== 'answers') {
    if (variant.looksAt === 'documents') return changedBlocks(encoding, variant, prepared.applied);
    throw new TenbinError('refused', {
      what: 'This variant looks at all documents together, and they are more than --memory allows',
      value: variant.id,
      fix: 'Raise --memory.',
    });
  }
  const refusal = variant.accepts(prepared);
  if (refusal === null) return variant.apply(prepared);
  throw new TenbinError('refused', { what: 'This variant does not fit', value: variant.id, fix: refusal.reason });
}
