import { TenbinError } from '../core/errors.js';
import type { DocId, QueryId } from '../core/ids.js';
import { inKeyedOrder } from '../core/keyed-hash.js';
import { type Arena, arenaOf } from '../runners/arena.js';
import { manifestAnalyzer } from '../runners/plan.js';
import type { Judgements, NanoSet } from '../tasks/types.js';
import type { NanoEvaluatorOptions } from './types.js';

/** What is asked of one task: its texts, cut to the sample, without the judgements mixed in. */
export interface Trial extends Pick<NanoSet, 'task' | 'docs' | 'queries' | 'judged'> {
  readonly arena: Arena;
}

const defaultSeed = 17;

/** Throws `refused` for a task that has nothing to score or lacks the pools that it is to be cut to. */
export function trialOf(nano: NanoSet, options: Pick<NanoEvaluatorOptions, 'queries' | 'documents'>): Trial {
  const judged = sampled(nano, options.queries);
  if (judged.size === 0) throw refused('This nano-set has no judged query', nano.task, 'Build the task again.');
  const queries = nano.queries.filter(({ id }) => judged.has(id));
  const docs = options.documents === 'candidates' ? candidates(nano, judged) : nano.docs;
  const engine = { analyzer: manifestAnalyzer(nano.manifest), seed: defaultSeed };
  return { task: nano.task, docs, queries, judged, arena: arenaOf({ docs, queries, pools: new Map() }, engine) };
}

/** The judgements of all queries, or of some by keyed hash. */
function sampled({ judged }: NanoSet, sample: NanoEvaluatorOptions['queries']): Judgements {
  if (sample === undefined) return judged;
  const { limit, seed = defaultSeed } = sample;
  const order = inKeyedOrder([...judged.keys()], `training ${seed}`, (id) => id);
  const chosen = new Set<QueryId>(order.slice(0, limit));
  return new Map([...judged].filter(([id]) => chosen.has(id)));
}

function candidates({ task, docs, pools }: NanoSet, judged: Judgements): NanoSet['docs'] {
  if (pools.size === 0) {
    throw refused('This nano-set has no candidate pools', task, "Use `documents: 'all'`, or build it with pools.");
  }
  const kept = new Set<DocId>([...judged.values()].flatMap((grades) => [...grades.keys()]));
  for (const pool of pools.values()) {
    for (const query of judged.keys()) for (const doc of pool.get(query)?.docs ?? []) kept.add(doc);
  }
  return docs.filter(({ id }) => kept.has(id));
}

function refused(what: string, task: string, fix: string): TenbinError {
  return new TenbinError('refused', { what, value: task, fix });
}
