import { type Digest, digestOf } from '../core/digest.js';
import { distributionOf } from '../core/distribution.js';
import type { NanoSet } from '../tasks/types.js';
import { type Arena, tieKey } from './arena.js';
import { analyzersOf, familyOf, modelsOf, type System } from './grammar.js';
import { modelConditions } from './model-conditions.js';
import { rankAll } from './rank.js';
import { costOf } from './run-cost.js';
import { bindSearcher } from './searcher.js';
import type { Analyzer } from './system.js';
import type { Run } from './types.js';

/** Raised by hand whenever a change of ours may change a number: runs made before are then stale. */
export const engineRevision = 4;

export interface RunOptions {
  /** Documents for each query. */
  readonly depth: number;
  readonly seed: number;
}

export const defaultRunOptions: RunOptions = { depth: 100, seed: 17 };

export interface RunKey {
  /** Digest of the nano-set. */
  readonly nano: Digest;
  readonly system: System;
  /** The analyzer that the task's language chooses. */
  readonly analyzer: Analyzer;
  readonly options: RunOptions;
}

/** The digest of everything that changes a number of a run: known before the run, so that a cached one can be told. */
export function runDigest({ nano, system, analyzer, options }: RunKey): Digest {
  return digestOf({
    schema: 'tenbin/run@1',
    engine: engineRevision,
    nano,
    system: system.id,
    analyzers: analyzersOf(system, analyzer).map(({ id, version }) => ({ id, version })),
    models: modelsOf(system).flatMap((model) => ('identity' in model ? [model.identity] : [])),
    depth: options.depth,
    seed: options.seed,
    tieKey,
  });
}

/** Where a run was made: machine, versions. Stored with it, and no part of its digest. */
export type Machine = Readonly<Record<string, string | number>>;

export interface RunRequest {
  readonly nano: NanoSet;
  readonly arena: Arena;
  readonly system: System;
  readonly options: RunOptions;
  readonly machine?: Machine;
  readonly clock: () => number;
  /** Most memory that this process had resident so far. */
  readonly peakRssBytes?: () => number;
}

/** Runs one system on one task. Systems of one arena share what they prepare. */
export async function runSystem(request: RunRequest): Promise<Run> {
  const { nano, arena, system, options, machine, clock, peakRssBytes } = request;
  const start = clock();
  const searcher = await bindSearcher(system, arena);
  const prepareMs = clock() - start;
  const { rankings, queryWork, queryMs } = await rankAll({
    nano,
    arena,
    searcher,
    system: system.id,
    depth: options.depth,
    clock,
  });
  const counted = searcher.counted?.();
  const { analyzer } = arena.engine;
  const used = analyzersOf(system, analyzer);
  const key = { nano: nano.manifest.digest, system, analyzer, options };
  return {
    task: { id: nano.task, digest: nano.manifest.digest },
    system: system.id,
    family: familyOf(system),
    digest: runDigest(key),
    rankings,
    cost: costOf({
      searcher,
      modelBytes: counted?.modelBytes ?? searcher.modelBytes,
      docCount: nano.docs.length,
      queryWork: [...queryWork.values()],
    }),
    queryWork,
    docTokens: new Map(searcher.tokens.map(({ model, docs }) => [model, docs])),
    conditions: {
      ...(used.length > 0 && analyzerConditions(used)),
      ...modelConditions(modelsOf(system)),
      ...searcher.conditions,
      ...counted?.conditions,
      depth: options.depth,
      seed: options.seed,
      scorePrecision: 'float64',
      engineRevision,
      ...machine,
    },
    timing: { prepareMs, queryMs: timesOf(queryMs), ...(peakRssBytes && { peakRssBytes: peakRssBytes() }) },
  };
}

function analyzerConditions(used: readonly Analyzer[]) {
  return {
    analyzer: used.map(({ id }) => id).join(', '),
    analyzerVersion: used.map(({ version }) => version).join(', '),
  };
}

function timesOf(times: Float64Array): Run['timing']['queryMs'] {
  const { p50, p95, mean } = distributionOf(times);
  return { p50, p95, mean };
}
