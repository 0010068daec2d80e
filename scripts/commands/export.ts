import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { type Exporter, exportFormats } from '../../results/exports/index.js';
import { readRun } from '../../runners/store.js';
import { writeAtomic } from '../../tasks/files.js';
import { type CommonOptions, withCommon, withExamples } from '../options.js';
import { note, printJson } from '../output.js';
import { noSuchRun, runFolderOf } from '../read-input.js';
import type { RegisterCommand } from './command.js';

interface ExportCommandOptions extends CommonOptions {
  readonly to: string;
  readonly output?: string;
}

export const registerExport: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('export')
    .description('Write a run for other tools; scores in full precision. The text goes to stdout, or to --output.')
    .argument('<run>', 'the `path` that `tenbin run --format json` gives')
    .addOption(
      new Option('--to <form>', 'form of the run')
        .choices(exportFormats.plugins.map(({ name }) => name))
        .default('trec'),
    )
    .option('--output <file>', 'write to this file, whole or not at all');
  withCommon(command);
  withExamples(command, [
    'tenbin export runs/embedded-en/cwe/bm25.a1b2c3d4e5 --to trec',
    'tenbin export runs/embedded-en/cwe/bm25.a1b2c3d4e5 --to json --output bm25.json',
  ]);
  command.action(async (operand: string, options: ExportCommandOptions) => {
    await exportRun(operand, options);
    onExit(0);
  });
};

async function exportRun(
  operand: string,
  { out, output, quiet, format, ...options }: ExportCommandOptions,
): Promise<void> {
  // One JSON document is what --format json promises; without --output that is the run itself.
  const to = format === 'json' && output === undefined ? 'json' : options.to;
  const folder = await runFolderOf(operand, out);
  const run = folder === null ? null : await readRun(folder);
  if (run === null) throw noSuchRun(operand);
  const pieces = exportFormats.bind(to)(run);
  if (output === undefined) return printPieces(pieces);
  await writeAtomic(output, await joined(pieces));
  if (format === 'json') printJson({ run: operand, to, output });
  else if (!quiet) note(`wrote ${output}`);
}

/** Piece by piece, waiting where the reader of a pipe is slower. */
async function printPieces(pieces: ReturnType<Exporter>): Promise<void> {
  for await (const piece of pieces) if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
}

async function joined(pieces: ReturnType<Exporter>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return Buffer.concat(parts);
}
