import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { printable, reasonOf, TenbinError } from '../core/errors.js';
import { type TaskId, taskId } from '../core/ids.js';
import { byCodePoint } from '../core/order.js';
import { listRuns, type RunRecord, readRecord, readRun, runPath } from '../runners/store.js';
import type { FamilyName } from '../runners/system.js';
import { readBytes, writeAtomic } from '../tasks/files.js';
import { parseJson } from '../tasks/manifest.js';
import { readJudgements } from '../tasks/store.js';
import type { Manifest } from '../tasks/types.js';
import type { Board, BoardTask, ImportedTask, TaskResults } from './board-types.js';
import { deepestCutoff } from './cutoff.js';
import { type Imported, parseImported } from './imports/imported.js';
import { importedPath } from './imports/imported-path.js';
import { parseMeasure } from './measures/parse.js';
import { reports } from './reports/index.js';
import { taskResults } from './task-results.js';

/** One task to score: every run and imported result of it below the root, or those of the systems named. */
export interface ScoreJob {
  readonly root: string;
  readonly task: TaskId;
  readonly measures: readonly string[];
  readonly systems: readonly string[] | null;
}

export interface ScoredTask {
  readonly task: BoardTask | null;
  readonly systems: readonly ScoredSystem[];
  /** Means from elsewhere, of the measures asked for. */
  readonly imported: readonly ScoredImport[];
  /** Runs and imported results left out, and why: failed, stale, damaged. */
  readonly leftOut: readonly string[];
}

export interface ScoredSystem {
  readonly id: string;
  readonly family: FamilyName;
  readonly results: TaskResults;
}

export interface ScoredImport extends ImportedTask {
  readonly id: string;
  readonly family: FamilyName;
}

/** Scores the stored runs of a task, and reads what was imported for it. A run made for other bytes of the nano-set does not count, and is named. */
export async function scoreTask(job: ScoreJob): Promise<ScoredTask> {
  const { root, task, measures, systems } = job;
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
  const { imported, refused } = await readImports(job);
  return { task: boardTask(manifest), systems: scored, imported, leftOut: [...leftOut, ...refused] };
}

interface Imports {
  readonly imported: readonly ScoredImport[];
  readonly refused: readonly string[];
}

/** A file that has none of the measures asked for says nothing here, and nothing is said of it. */
async function readImports({ root, task, measures, systems }: ScoreJob): Promise<Imports> {
  const imported: ScoredImport[] = [];
  const refused: string[] = [];
  for (const path of await listImports(root, task)) {
    try {
      const { system: id, family, origin, measures: means } = await readImport(root, task, path);
      const values = new Map(measures.flatMap((name) => (Object.hasOwn(means, name) ? [[name, means[name]]] : [])));
      if (values.size > 0 && systems?.includes(id) !== false) imported.push({ id, family, origin, values });
    } catch (error) {
      refused.push(`${task}  ${printable(path)}: ${reasonOf(error)}`);
    }
  }
  return { imported, refused };
}

/** Files of imported results of a task, relative to the root, in code-point order. */
async function listImports(root: string, task: TaskId): Promise<string[]> {
  const folder = dirname(importedPath(task, ''));
  const names = await readdir(join(root, folder)).catch(() => [] as string[]);
  const shown = names.filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  return shown.sort(byCodePoint).map((name) => join(folder, name));
}

/** A thousand measures with long names are a tenth of this. */
const mostBytes = 1e6;
const reimport = 'Import it again: `tenbin import --help`.';

async function readImport(root: string, task: TaskId, path: string): Promise<Imported> {
  const { size } = await stat(join(root, path));
  if (size > mostBytes) throw strayImport('This file is too large for an imported result', `${size} bytes`);
  const text = new TextDecoder().decode(await readBytes(join(root, path)));
  const imported = parseImported(parseJson(text, path, reimport), path);
  if (imported.task !== task) throw strayImport('This imported result is of another task', imported.task);
  if (basename(importedPath(task, imported.system)) === basename(path)) return imported;
  throw strayImport('This imported result is not named after its system', imported.system);
}

function strayImport(what: string, value: string): TenbinError {
  return new TenbinError('damaged', { what, value, fix: reimport });
}

/** Whether any of the tasks has a run or an imported result of a system of that name, be it one that no model here has. */
export async function hasResults(root: string, tasks: readonly TaskId[], system: string): Promise<boolean> {
  const paths = tasks.flatMap((task) => [runPath(task, system), importedPath(task, system)]);
  const found = await Promise.all(paths.map((path) => stat(join(root, path)).catch(() => null)));
  return found.some((entry) => entry !== null);
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
