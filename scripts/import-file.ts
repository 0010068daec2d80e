import { basename, dirname, join } from 'node:path';
import { type Json, prettyJson } from '../core/canonical.js';
import { sha256 } from '../core/digest.js';
import { TenbinError } from '../core/errors.js';
import { isTaskId, type TaskId } from '../core/ids.js';
import type { Imported } from '../results/imports/imported.js';
import { importedPath } from '../results/imports/imported-path.js';
import {
  type DecodeOptions,
  decodeImport,
  type ForeignResults,
  type ForeignRun,
  type ForeignSystem,
  type ImportedRun,
  importedRun,
  systemText,
} from '../results/imports/index.js';
import { modelNameIn } from '../results/imports/mteb.js';
import { readRecord, runPath, writeRun } from '../runners/store.js';
import type { FamilyName } from '../runners/system.js';
import { readIfThere, writeAllAtomic } from '../tasks/files.js';
import { readManifest, readNanoSet } from '../tasks/store.js';
import { readOperand } from './read-input.js';

export interface Importing extends DecodeOptions {
  readonly out: string;
  readonly task?: TaskId;
  readonly system?: string;
  readonly family?: FamilyName;
  readonly split?: string;
  readonly subset?: string;
  readonly depth?: number;
  /** Path → file of what this call wrote: two files for one place would hide each other. */
  readonly written: Map<string, string>;
}

/** One system on one task, as `tenbin import --format json` tells it. */
export interface ImportedRow {
  readonly file: string;
  readonly format: string;
  readonly kind: 'run' | 'results';
  readonly task: string;
  readonly system: string;
  readonly measures?: Imported['measures'];
  /** Relative to the root. */
  readonly path: string;
  readonly notes: readonly string[];
}

/** Reads one file and writes what it holds. Nothing is written where a part of it is refused. */
export async function importFile(file: string, options: Importing): Promise<ImportedRow[]> {
  const bytes = await readOperand(file);
  const decoded = await decodeImport(bytes, file, options);
  const origin = { format: decoded.format, file: file === '-' ? 'stdin' : basename(file), digest: sha256(bytes) };
  const source: Source = { file, origin, system: options.system ?? (await nameBeside(file, decoded.format)) };
  if (decoded.kind === 'results') return importResults(chosenPart(decoded.results, file, options), source, options);
  const prepared: PreparedRun[] = [];
  for (const run of decoded.runs) prepared.push(await preparedRun(run, source, options));
  for (const { run } of prepared) await writeRun(options.out, run);
  return prepared.map(({ row }) => row);
}

interface Source {
  readonly file: string;
  readonly origin: Imported['origin'];
  /** Said by the caller, or by a file beside. */
  readonly system: string | undefined;
}

/** MTEB keeps the name of the model in a file beside the results. */
async function nameBeside(file: string, format: string): Promise<string | undefined> {
  if (format !== 'MTEB' || file === '-') return undefined;
  const path = join(dirname(file), 'model_meta.json');
  const bytes = await readIfThere(path);
  return bytes === null ? undefined : modelNameIn(new TextDecoder().decode(bytes), path);
}

interface Target {
  readonly task: TaskId;
  readonly system: string;
  readonly family: FamilyName;
  readonly notes: readonly string[];
}

/** Where it goes: the caller's word before the file's. */
function targetOf(foreign: ForeignSystem, source: Source, options: Importing): Target {
  const task = options.task ?? foreign.task;
  if (task === null || !isTaskId(task))
    throw notSaid('does not say which task of yours it is of', source.file, '--task SUITE/TASK');
  const system = systemText(foreign, source.system);
  if (system === null) throw notSaid('does not name the system', source.file, '--system NAME');
  const family = options.family ?? foreign.family;
  const notes = family === null ? ['the family is not in the file and taken as dense: --family says another'] : [];
  return { task, system, family: family ?? 'dense', notes };
}

async function importResults(
  results: readonly ForeignResults[],
  source: Source,
  options: Importing,
): Promise<ImportedRow[]> {
  const kept = results.filter(({ measures }) => measures.size > 0);
  if (kept.length === 0) throw noMeasure(source.file, results);
  const rows: ImportedRow[] = [];
  const files: { readonly path: string; readonly data: string }[] = [];
  for (const { measures: means, notes, ...foreign } of kept) {
    const { task, system, family, notes: told } = targetOf(foreign, source, options);
    const path = importedPath(task, system);
    claim(path, source.file, options);
    const measures = Object.fromEntries(means);
    const imported: Imported = { schema: 'tenbin/imported@1', task, system, family, origin: source.origin, measures };
    files.push({ path: join(options.out, path), data: prettyJson(imported as unknown as Json) });
    const { file, origin } = source;
    const all = [...notes, ...told, ...(await doubts(task, means, options)), ...(await replaced(path, options))];
    rows.push({ file, format: origin.format, kind: 'results', task, system, measures, path, notes: all });
  }
  await writeAllAtomic(files);
  return rows;
}

/** What makes the numbers another thing than ours on the same task. */
async function doubts(task: TaskId, means: ForeignResults['measures'], { out }: Importing): Promise<string[]> {
  const manifest = await readManifest(out, task);
  if (manifest === null) return [`the task ${task} is not built here: the board shows it once it is`];
  const { queries } = manifest.counts.kept;
  const others = new Set([...means.values()].flatMap(({ n }) => (n === null || n === queries ? [] : [n])));
  return others.size === 0 ? [] : [`measured over ${[...others].join(' or ')} queries, and the task has ${queries}`];
}

async function replaced(path: string, { out }: Importing): Promise<string[]> {
  return (await readIfThere(join(out, path))) === null ? [] : ['replaces what was imported before'];
}

interface PreparedRun {
  readonly run: ImportedRun['run'];
  readonly row: ImportedRow;
}

async function preparedRun(foreign: ForeignRun, source: Source, options: Importing): Promise<PreparedRun> {
  const { task, system, family, notes: told } = targetOf(foreign, source, options);
  const nano = await readNanoSet(options.out, task);
  const path = runPath(task, system);
  claim(path, source.file, options);
  await refuseOurs(join(options.out, path), system);
  const depth = options.depth ?? foreign.depth;
  const { file, origin } = source;
  const { run, notes } = importedRun({ nano, system, family, origin, run: foreign, depth });
  return { run, row: { file, format: origin.format, kind: 'run', task, system, path, notes: [...notes, ...told] } };
}

/** A run of ours took time to make; what comes from elsewhere does not take its place. */
async function refuseOurs(folder: string, system: string): Promise<void> {
  const record = await readRecord(folder);
  if (record === null || (record.status === 'complete' && 'imported' in record.conditions)) return;
  throw new TenbinError('refused', {
    what: 'A run of ours stands under that name',
    value: `${system} in ${folder}`,
    fix: 'Choose another name with --system.',
  });
}

/** Splits and subsets are problems of their own: one of them is a task here. */
function chosenPart(
  results: readonly ForeignResults[],
  file: string,
  { split, subset }: Importing,
): readonly ForeignResults[] {
  const fits = ({ part }: ForeignResults) =>
    (split === undefined || part?.split === split) && (subset === undefined || part?.subset === subset);
  const chosen = results.filter(fits);
  const parts = new Set(chosen.map(({ part }) => JSON.stringify(part)));
  if (chosen.length > 0 && parts.size === 1) return chosen;
  const there = results.flatMap(({ part }) => (part === null ? [] : [`${part.split}/${part.subset}`]));
  throw new TenbinError('usage', {
    what:
      chosen.length === 0
        ? 'The file has no such split or subset'
        : 'The file has several splits or subsets, and a task is one',
    value: `${file}: ${there.length === 0 ? 'it has none' : there.join(', ')}`,
    fix: 'Say which with --split and --subset.',
  });
}

function claim(path: string, file: string, { written }: Importing): void {
  const other = written.get(path);
  if (other === undefined) {
    written.set(path, file);
    return;
  }
  throw new TenbinError('refused', {
    what: 'Two files of this call are of one system on one task',
    value: `${other} and ${file}`,
    fix: 'Import them apart, with another --system or --task.',
  });
}

function notSaid(what: string, file: string, option: string): TenbinError {
  return new TenbinError('usage', { what: `The file ${what}`, value: file, fix: `Say it with \`${option}\`.` });
}

function noMeasure(file: string, results: readonly ForeignResults[]): TenbinError {
  return new TenbinError('malformed', {
    what: 'The file has no measure that has a counterpart here',
    value: `${file}${results[0] === undefined ? '' : `: ${results[0].notes.join('; ')}`}`,
    fix: 'Name one with `--measure-as THEIRS=OURS`; `tenbin measures` lists ours.',
  });
}
