import { join } from 'node:path';
import { TenbinError } from '../core/errors.js';
import { defaultMeasures } from '../results/default-measures.js';
import { type ExportedFile, exportResults, type ScoredRun } from '../results/exports/results/index.js';
import { readRun } from '../runners/store.js';
import { writeAllAtomic } from '../tasks/files.js';
import { readJudgements } from '../tasks/store.js';
import { note, printJson, printText } from './output.js';
import { noSuchRun, runFolderOf } from './read-input.js';
import { measuresFrom } from './read-runs.js';

export interface ResultsExport {
  readonly to: string;
  readonly out: string;
  /** A folder; without it the one file goes to stdout. */
  readonly output?: string;
  readonly measure?: readonly string[];
  readonly format: string;
  readonly quiet?: boolean;
}

/** Stored runs of one system, scored and written in the form of another program: `tenbin export RUN… --to mteb`. */
export async function exportMeasured(operands: readonly string[], options: ResultsExport): Promise<void> {
  const runs: ScoredRun[] = [];
  for (const operand of operands) runs.push(await scoredRun(operand, options.out));
  const measures = measuresFrom(options.measure ?? defaultMeasures);
  const files = exportResults(options.to, { runs, measures });
  const { to, output, format, quiet } = options;
  if (output === undefined) return printText(onlyFile(files, options).text);
  await writeAllAtomic(files.map(({ path, text }) => ({ path: join(output, path), data: text })));
  const paths = files.map(({ path }) => join(output, path));
  if (format === 'json') printJson({ to, output, files: paths });
  else if (!quiet) note(`wrote ${paths.join(', ')}`);
}

async function scoredRun(operand: string, root: string): Promise<ScoredRun> {
  const folder = await runFolderOf(operand, root);
  const run = folder === null ? null : await readRun(folder);
  if (run === null) throw noSuchRun(operand);
  const { manifest, judged } = await readJudgements(root, run.task.id);
  if (run.task.digest === manifest.digest) return { run, judged, manifest };
  throw new TenbinError('refused', {
    what: 'The run was made on another build of its task',
    value: operand,
    fix: 'Run it again, or build the task as it was.',
  });
}

function onlyFile(files: readonly ExportedFile[], { to, format }: ResultsExport): ExportedFile {
  const [first, ...others] = files;
  if (others.length === 0 && (format !== 'json' || first.path.endsWith('.json'))) return first;
  throw new TenbinError('usage', {
    what: others.length === 0 ? 'This form is not one JSON document' : `This form takes ${files.length} files here`,
    value: `--to ${to}`,
    fix: 'Name a folder for them with --output FOLDER.',
  });
}
