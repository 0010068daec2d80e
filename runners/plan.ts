import { join } from 'node:path';
import type { Digest } from '../core/digest.js';
import { type TaskId, taskId } from '../core/ids.js';
import type { Manifest } from '../tasks/types.js';
import { analyzerFor } from './analyzers/index.js';
import type { System } from './grammar.js';
import { type RunOptions, runDigest } from './run.js';
import { hasFiles, readRecord, runPath } from './store.js';

/** `current`: nothing to do. `stale`: made under other conditions, damaged, or failed. `missing`: never made. */
export type PlanState = 'current' | 'stale' | 'missing';

export interface PlannedRun {
  readonly task: TaskId;
  /** Digest of the nano-set that the plan was made for. */
  readonly nano: Digest;
  readonly system: string;
  readonly digest: Digest;
  /** Folder of the run, relative to the root. */
  readonly path: string;
  readonly state: PlanState;
}

export interface PlanRequest {
  readonly root: string;
  readonly manifests: readonly Manifest[];
  readonly systems: readonly System[];
  readonly options: RunOptions;
}

/** What is done, stale and missing, before anything is run. A cached run counts only when its whole key is equal. */
export async function planRuns({ root, manifests, systems, options }: PlanRequest): Promise<PlannedRun[]> {
  const planned: PlannedRun[] = [];
  for (const manifest of manifests) {
    const task = taskId(`${manifest.suite}/${manifest.task}`);
    const analyzer = manifestAnalyzer(manifest);
    for (const system of systems) {
      const digest = runDigest({ nano: manifest.digest, system, analyzer, options });
      const path = runPath(task, system.id);
      const state = await stateOf(join(root, path), digest);
      planned.push({ task, nano: manifest.digest, system: system.id, digest, path, state });
    }
  }
  return planned;
}

/** The analyzer that lexical systems use on a task: chosen by its language, so all tasks of one language agree. */
export function manifestAnalyzer({ language, documentLanguage, domain }: Manifest) {
  return analyzerFor(language, documentLanguage, domain);
}

async function stateOf(folder: string, digest: Digest): Promise<PlanState> {
  const record = await readRecord(folder).catch(() => 'damaged' as const);
  if (record === null) return 'missing';
  if (record === 'damaged' || record.digest !== digest || record.status === 'failed') return 'stale';
  return (await hasFiles(folder, record)) ? 'current' : 'stale';
}
