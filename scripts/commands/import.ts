import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { printable, reasonOf, TenbinError } from '../../core/errors.js';
import { taskId } from '../../core/ids.js';
import { meansOnly } from '../../results/measures/means-only.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { familyNames } from '../../runners/system.js';
import { type ImportedRow, type Importing, importFile } from '../import-file.js';
import { type CommonOptions, repeated, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import type { RegisterCommand } from './command.js';

interface ImportCommandOptions
  extends CommonOptions,
    Pick<Importing, 'system' | 'family' | 'split' | 'subset' | 'depth'> {
  readonly task?: string;
  readonly measureAs?: readonly string[];
  readonly rankings?: boolean;
}

export const registerImport: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('import')
    .description(
      'Results or runs of other programs, marked as imported: MTEB, HAKARI-Bench, ranx, BEIR, ir_measures and trec_eval results; TREC, JSON and Parquet runs. The content tells the format; gzip and xz of any; `-` for stdin.',
    )
    .argument('<file...>', 'files of results or runs')
    .option('--task <id>', 'the task here that they are of (default: what the file names, where it is SUITE/TASK)')
    .option('--system <name>', 'the name here (default: what the file names)')
    .addOption(
      new Option('--family <name>', 'of the system (default: what the file says, else dense)').choices(familyNames),
    )
    .option('--split <name>', "one of an MTEB file's splits")
    .option('--subset <name>', "one of an MTEB file's subsets")
    .option('--measure-as <theirs=ours>', 'what a name in the file is here; repeatable', repeated)
    .option('--rankings', 'take the rankings of a HAKARI-Bench file instead of its measures')
    .option(
      '--depth <n>',
      'documents that a run was asked for (default: its longest list)',
      wholeNumberOption(1, 1_000_000),
    );
  withCommon(command);
  withExamples(command, [
    'tenbin import results/org__model/main/SciFact.json --task mine/scifact --split test',
    'tenbin import other.run.gz --task embedded-en/cwe --system other --format json',
  ]);
  command.action(async (files: string[], options: ImportCommandOptions) => onExit(await importFiles(files, options)));
};

async function importFiles(files: readonly string[], options: ImportCommandOptions): Promise<number> {
  const importing = importingOf(options);
  const rows: (ImportedRow | { readonly file: string; readonly error: string })[] = [];
  let code = 0;
  for (const file of files) {
    try {
      rows.push(...(await importFile(file, importing)));
    } catch (error) {
      code = Math.max(code, error instanceof TenbinError && error.code === 'usage' ? 2 : 1);
      rows.push({ file, error: reasonOf(error) });
      note(`tenbin: ${error instanceof TenbinError ? error.message : printable(reasonOf(error))}`);
    }
  }
  if (options.format === 'json') printJson({ imported: rows });
  else
    printRows(
      rows.filter((row) => 'path' in row),
      options,
    );
  return code;
}

function importingOf({ task, measureAs = [], rankings, ...options }: ImportCommandOptions): Importing {
  return {
    ...options,
    ...(task !== undefined && { task: taskId(task) }),
    renamed: new Map(measureAs.map(renaming)),
    take: rankings === true ? 'rankings' : 'measures',
    written: new Map(),
  };
}

function renaming(text: string): [string, string] {
  const [, theirs, ours] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (theirs !== undefined) return [theirs, meansOnly([parseMeasure(ours)])[0].name];
  throw new TenbinError('usage', {
    what: '--measure-as takes a name in the file, an equals sign and a measure',
    value: text,
    fix: 'Write for example `--measure-as "main_score=nDCG@10"`.',
  });
}

function printRows(rows: readonly ImportedRow[], { quiet }: ImportCommandOptions): void {
  if (rows.length === 0) return;
  const head = ['file', 'format', 'kind', 'task', 'system', 'measures', 'path'];
  const cells = rows.map((row) => [
    printable(basename(row.file)),
    row.format,
    row.kind,
    row.task,
    printable(row.system),
    row.measures === undefined ? '' : String(Object.keys(row.measures).length),
    row.path,
  ]);
  printText(textTable(head, cells));
  if (quiet) return;
  for (const { system, notes } of rows) for (const line of notes) note(`${printable(system)}: ${line}`);
}
