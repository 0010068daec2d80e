import { join } from 'node:path';
import { reasonOf } from '../core/errors.js';
import { type TaskId, taskId } from '../core/ids.js';
import { listRuns, type RunRecord, readRecord, readRun } from '../runners/store.js';
import type { FamilyName } from '../runners/system.js';
import { writeAtomic } from '../tasks/files.js';
import { readJudgements } from '../tasks/store.js';
import type { Manifest } from '../tasks/types.js';
import type { Board, BoardTask, TaskResults } from './board-types.js';
import { deepestCutoff } from './cutoff.js';
import { parseMeasure } from './measures/parse.js';
import { reports } from './reports/index.js';
import { taskResults } from './task-results.js';

/** One task to score: every run of it below the root, or those of the systems named. */
export interface ScoreJob {
  readonly root: string;
  readonly task: TaskId;
  readonly measures: readonly string[];
  readonly systems: readonly string[] | null;
}

export interface ScoredTask {
  readonly task: BoardTask | null;
  readonly systems: readonly ScoredSystem[];
  /** Runs left out, and why: failed, stale, damaged. */
  readonly leftOut: readonly string[];
}

export interface ScoredSystem {
  readonly id: string;
  readonly family: FamilyName;
  readonly results: TaskResults;
}

/** Scores the stored runs of a task. A run made for other bytes of the nano-set does not count, and is named. */
export async function scoreTask({ root, task, measures, systems }: ScoreJob): Promise<ScoredTask> {
  const { manifest, judged } = await readJudgements(root, task);
  const parsed = measures.map(parseMeasure);
  const scored: ScoredSystem[] = [];
  const leftOut: string[] = [];
  for (const path of await listRuns(root, task)) {
    try {
      const record = await readRecord(join(root, path));
      if (record === null || (systems !== null && !systems.includes(record.system))) continue;
      const why = whyNot(record, manifest, deepestCutoff(measures));
      const run = why === null ? await readRun(join(root, path)) : null;
      if (run === null) leftOut.push(`${task}  ${record.system}: ${why}`);
      else scored.push({ id: run.system, family: run.family, results: taskResults(run, { judged, manifest }, parsed) });
    } catch (error) {
      leftOut.push(`${task}  ${path}: ${reasonOf(error)}`);
    }
  }
  return { task: boardTask(manifest), systems: scored, leftOut };
}

function whyNot(record: RunRecord, manifest: Manifest, cutoff: number): string | null {
  if (record.status === 'failed') return `the run failed: ${record.error}`;
  if (record.task.digest !== manifest.digest) return 'the run was made on another build of this task: run it again';
  const { depth } = record.conditions;
  if (typeof depth !== 'number' || depth >= Math.min(cutoff, manifest.counts.kept.docs)) return null;
  return `the run is ${depth} documents deep, less than the cut-off of ${cutoff} that was asked for: run it again with --depth ${cutoff}`;
}

function boardTask(manifest: Manifest): BoardTask {
  const { suite, language, documentLanguage, domain, digest, counts } = manifest;
  const { queries, docs } = counts.kept;
  return { id: taskId(`${suite}/${manifest.task}`), suite, language, documentLanguage, domain, queries, docs, digest };
}

/** Writes every form of the board but the terminal's below `out/board/`, and returns the paths. */
export async function writeBoard(root: string, board: Board): Promise<string[]> {
  const paths: string[] = [];
  for (const plugin of reports.plugins.filter(({ name }) => name !== 'table')) {
    const { fileName, render } = plugin.bind(undefined);
    const path = join(root, 'board', fileName);
    await writeAtomic(path, render(board));
    paths.push(path);
  }
  return paths;
}
