import { distributionOf } from '../../core/distribution.js';
import { TenbinError } from '../../core/errors.js';
import type { Measured, OpenedModel } from '../../results/latency/samples.js';
import { arenaOf } from '../../runners/arena.js';
import { openModels } from '../../runners/backends/open-models.js';
import type { Runtime } from '../../runners/backends/runtime.js';
import { analyzersOf, modelsOf, type System } from '../../runners/grammar.js';
import { manifestAnalyzer } from '../../runners/plan.js';
import { bindSearcher, type Searcher } from '../../runners/searcher.js';
import { liveDifference } from '../../runners/serve/live-difference.js';
import { type LiveModels, liveModels } from '../../runners/serve/live-models.js';
import { notTimed, type Serving } from '../../runners/serve/serve-query.js';
import { type ServiceUse, serviceUse, usedTogether } from '../../runners/serve/spent.js';
import type { Analyzer, PretrainedModel } from '../../runners/system.js';
import type { NanoSet } from '../../tasks/types.js';
import { monotonicClock } from './clock.js';

interface SystemRequest {
  readonly nano: NanoSet;
  readonly system: System;
  readonly depth: number;
  readonly seed: number;
  readonly runtime: Runtime;
}

/** A system with its documents prepared and its models open. */
export interface OpenedSystem {
  readonly id: string;
  readonly serving: Serving;
  readonly queries: number;
  /** Every model runs in this process, which answers one query at a time. */
  readonly isLocal: boolean;
  readonly facts: Pick<Measured, 'models' | 'queryTokens' | 'notTimed' | 'conditions'>;
  /** What services were asked for so far; null where there are none. */
  readonly used: () => Promise<ServiceUse | null>;
  readonly close: () => Promise<void>;
}

/** Queries that are compared with their prepared vectors before the clock is started. */
const comparedQueries = 8;

/** Prepares the documents (from the cache where they are there) and opens every model. What does not fit is an error. */
export async function openSystem(request: SystemRequest): Promise<OpenedSystem> {
  // Models of one system stay open together, however large: a server would not close one for the other.
  const models = openModels(request.runtime.access, Number.POSITIVE_INFINITY);
  try {
    const live = liveModels({ ...request.runtime.runtime, use: models.use });
    return { ...(await opened(request, live)), close: models.close };
  } catch (error) {
    await models.close();
    throw error;
  }
}

async function opened({ nano, system, depth, seed }: SystemRequest, live: LiveModels) {
  const analyzer = manifestAnalyzer(nano.manifest);
  const arena = arenaOf(nano, { analyzer, seed, runtime: live.runtime });
  const all = [...new Map(modelsOf(system).map((model) => [model.id, model])).values()];
  const pretrained = all.filter((model) => model.kind === 'pretrained');
  const grown = await openEach(pretrained, live);
  const searcher = await bindSearcher(system, arena);
  if (searcher.overBlocks) throw tooLarge(system.id);
  live.startServing();
  const sizes = await Promise.all(pretrained.map(async (model) => serviceUse(await live.runtime.use(model))));
  const isLocal = sizes.every((use) => use === null);
  const some = [...nano.queries.keys()].slice(0, isLocal ? comparedQueries : 1);
  const facts: OpenedModel[] = [];
  for (const [i, model] of pretrained.entries()) {
    facts.push({ ...grown[i], liveDifference: await liveDifference(model, arena, some) });
  }
  return {
    id: system.id,
    serving: { searcher, arena, models: live, depth, nowMs: monotonicClock.nowMs },
    queries: nano.queries.length,
    isLocal,
    facts: {
      models: facts,
      queryTokens: queryTokens(searcher, analyzersOf(system, analyzer), arena.texts.queries),
      notTimed: all.flatMap((model) => {
        const why = notTimed(model);
        return why === null ? [] : [{ model: model.id, why }];
      }),
      conditions: { ...searcher.conditions },
    },
    used: () => usedBy(pretrained, live),
  };
}

/** Opens models one after the other, so that the memory that the process grows by is the model's. */
async function openEach(models: readonly PretrainedModel[], { runtime }: LiveModels) {
  const grown: Omit<OpenedModel, 'liveDifference'>[] = [];
  for (const model of models) {
    const before = process.memoryUsage.rss();
    const { modelBytes, conditions } = await runtime.use(model);
    const grownBytes = process.memoryUsage.rss() - before;
    // What models closed before gave back is taken first, and then nothing can be said.
    const memoryBytes = modelBytes > 0 && grownBytes > 0 ? grownBytes : null;
    grown.push({ model: model.id, bytes: modelBytes, memoryBytes, conditions });
  }
  return grown;
}

async function usedBy(models: readonly PretrainedModel[], { runtime }: LiveModels): Promise<ServiceUse | null> {
  const uses = await Promise.all(models.map(async (model) => serviceUse(await runtime.use(model))));
  const there = uses.filter((use) => use !== null);
  return there.length === 0 ? null : usedTogether(there);
}

/** Of each model that counts tokens, and of each analyzer its terms. */
function queryTokens({ tokens }: Searcher, analyzers: readonly Analyzer[], texts: readonly string[]) {
  const counted = [
    ...tokens.map(({ model, queries }) => ({ by: model, counts: Array.from(queries) })),
    ...analyzers.map(({ id, analyze }) => ({ by: id, counts: texts.map((text) => analyze(text).length) })),
  ];
  return counted.map(({ by, counts }) => {
    const { p50, p95, max } = distributionOf(counts);
    return { by, p50, p95, max };
  });
}

function tooLarge(system: string): TenbinError {
  return new TenbinError('refused', {
    what: 'The documents are more than --memory allows, and a server would hold them',
    value: system,
    fix: 'Raise --memory.',
  });
}
