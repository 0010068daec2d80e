import { reasonOf, TenbinError } from '../core/errors.js';
import type { QueryId } from '../core/ids.js';
import type { ReplayTask } from '../results/replay/read.js';
import { analyzerFor } from '../runners/analyzers/index.js';
import { type Arena, arenaOf } from '../runners/arena.js';
import { type Runtime, runtimeFor } from '../runners/backends/runtime.js';
import { modelsOf, parseSystem, type System, splitSystems } from '../runners/grammar.js';
import { rankAll } from '../runners/rank.js';
import { bindSearcher } from '../runners/searcher.js';
import type { Ranking } from '../tasks/types.js';
import { fetchModels, lookUp } from './look-up.js';
import { type ModelOptions, runtimeSettings } from './model-options.js';
import { note } from './output.js';
import { type Progress, startProgress } from './progress.js';

/** A second stage, ready to be asked. */
export interface Reranker {
  readonly id: string;
  readonly system: System;
  /** A score depends on the other texts too (BM25, LSA, int8 ranges): here the candidates', in a run the whole corpus. */
  readonly isFitted: boolean;
}

export interface Rerankers {
  readonly rerankers: readonly Reranker[];
  /** Opens the arena of a task, which its rerankers share. */
  readonly arenaOf: (task: ReplayTask) => Arena;
  readonly progress: Progress;
  readonly close: () => Promise<void>;
}

export interface RerankerOptions extends ModelOptions {
  readonly out: string;
  readonly seed: number;
  readonly quiet?: boolean;
}

/** Looks up and fetches the models that the lists name, to be run over these tasks. */
export async function openRerankers(
  lists: readonly string[],
  options: RerankerOptions,
  { tasks }: { readonly tasks: readonly unknown[] },
): Promise<Rerankers> {
  const texts = lists.flatMap(splitSystems);
  // One command works on one task at a time: its models get the whole processor.
  const settings = runtimeSettings({ ...options, jobs: 1 });
  const found = await lookUp(texts, settings, options.quiet);
  const systems = texts.map((text) => stageOf(parseSystem(text, found.catalog)));
  const rerankers = [...new Map(systems.map((system) => [system.id, rerankerOf(system)])).values()];
  await fetchModels(found, new Set(systems.flatMap((one) => modelsOf(one).map(({ id }) => id))), options.quiet);
  const progress = startProgress('replay', rerankers.length * tasks.length, options.quiet);
  const onNote = options.quiet ? () => undefined : note;
  const runtime: Runtime = runtimeFor(settings, process.env, { onNote, onStep: progress.work });
  const close = async () => {
    progress.stop();
    await runtime.closeServices();
    await runtime.close();
  };
  return { rerankers, arenaOf: (task) => arenaFor(task, options.seed, runtime), progress, close };
}

function rerankerOf(system: System): Reranker {
  return { id: system.id, system, isFitted: isFitted(system) };
}

/** A pipeline or pool is no reranker here; a variant that does not say what it looks at looks at all documents. */
function isFitted(system: System): boolean {
  if (system.kind === 'fusion') return system.parts.some(isFitted);
  if (system.kind !== 'model') return true;
  return system.model.kind !== 'pretrained' || system.variants.some(({ looksAt }) => looksAt === undefined);
}

/** The first stage is the artifact itself, so only one stage is left to name. */
function stageOf(system: System): System {
  if (system.kind === 'model' || system.kind === 'fusion') return system;
  const last = system.kind === 'pipeline' ? system.second.id : 'ce-tiny';
  throw new TenbinError('usage', {
    what: 'The candidates are those of the artifact, and a reranker of them is one model, with variants, or a fusion',
    value: system.id,
    fix: `Write for example \`--systems "${last}"\`.`,
  });
}

function arenaFor({ facts, docs, queries, pool }: ReplayTask, seed: number, { runtime }: Runtime): Arena {
  const analyzer = analyzerFor(facts.language, facts.documentLanguage, facts.domain);
  return arenaOf({ docs, queries, pools: new Map([[replayPool, pool]]) }, { analyzer, seed, runtime });
}

/** The one pool of a replay's arena. */
const replayPool = 'replay';

interface Asked {
  readonly arena: Arena;
  /** Documents wanted for each query; all candidates when not said. */
  readonly depth: number | null;
}

/** Ranks the candidates of every query; or why it could not. A failure of one model does not end the others. */
export async function rerank(
  { docs, queries, pool }: ReplayTask,
  { id, system }: Reranker,
  { arena, depth: wanted }: Asked,
): Promise<ReadonlyMap<QueryId, Ranking> | string> {
  const deepest = [...pool.values()].reduce((most, row) => Math.max(most, row.docs.length), 1);
  const first: System = { kind: 'pool', id: replayPool, pool: replayPool, forced: 'with' };
  const pipeline: System = { kind: 'pipeline', id, first, second: system, depth: deepest };
  try {
    const searcher = await bindSearcher(pipeline, arena);
    const request = { nano: { docs, queries }, arena, searcher, system: id, clock: () => performance.now() };
    return (await rankAll({ ...request, depth: wanted ?? deepest })).rankings;
  } catch (error) {
    if (error instanceof TenbinError && error.code === 'usage') throw error;
    return reasonOf(error);
  }
}
