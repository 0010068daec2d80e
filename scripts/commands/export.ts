import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { TenbinError } from '../../core/errors.js';
import { exportFormats } from '../../results/exports/index.js';
import { resultsFormats } from '../../results/exports/results/index.js';
import { readRun } from '../../runners/store.js';
import { writeAtomic } from '../../tasks/files.js';
import { type CommonOptions, repeated, withCommon, withExamples } from '../options.js';
import { note, printJson } from '../output.js';
import { noSuchRun, runFolderOf } from '../read-input.js';
import { exportReplay } from '../replay-export.js';
import { exportMeasured } from '../results-export.js';
import type { RegisterCommand } from './command.js';

interface ExportCommandOptions extends CommonOptions {
  readonly to: string;
  readonly pool?: string;
  readonly measure?: readonly string[];
  readonly output?: string;
}

/** Of tasks and not of a run, so it is none of the forms in `results/exports`. */
const replay = 'replay';
const defaultPool = 'hybrid';
const resultNames: readonly string[] = resultsFormats.plugins.map(({ name }) => name);

export const registerExport: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('export')
    .description(
      'Write a run for other tools, what runs measured in the form of another harness, or the frozen candidates of tasks for rerankers (replay). The text goes to stdout, or to --output.',
    )
    .argument(
      '<operand...>',
      'the `path` of a run that `tenbin run --format json` gives, several for results; with --to replay, tasks, suites, globs, !selector',
    )
    .addOption(
      new Option('--to <form>', `form of the run, of results (${resultNames.join(', ')}), or replay`)
        .choices([...exportFormats.plugins.map(({ name }) => name), ...resultNames, replay])
        .default('trec'),
    )
    .option('-m, --measure <name>', 'of ir_measures: a measure; repeatable (default: nDCG@10 and five more)', repeated)
    .option('--pool <name>', `of replay: bm25, dense or hybrid (default: ${defaultPool})`)
    .option('--output <path>', 'write to this file, whole or not at all; of results a folder');
  withCommon(command);
  withExamples(command, [
    'tenbin export runs/embedded-en/cwe/bm25.a1b2c3d4e5 --to json --output bm25.json',
    'tenbin export embedded-en --pool hybrid --to replay --output hybrid.jsonl',
  ]);
  command.action(async (operands: string[], options: ExportCommandOptions) => {
    await exportOperands(operands, options);
    onExit(0);
  });
};

async function exportOperands(operands: readonly string[], options: ExportCommandOptions): Promise<void> {
  const { to, pool, measure } = options;
  const isResult = resultNames.includes(to);
  if (pool !== undefined && to !== replay) {
    throw wrongUse('--pool is of --to replay', pool, 'Leave it out, or add --to replay.');
  }
  if (measure !== undefined && !isResult) {
    throw wrongUse(
      '--measure is of results such as ir_measures',
      measure[0],
      `Leave it out, or add --to ${resultNames[0]}.`,
    );
  }
  if (isResult) return exportMeasured(operands, options);
  return to === replay ? exportTasks(operands, options) : exportRun(operands, options);
}

async function exportRun(
  operands: readonly string[],
  { out, output, quiet, format, ...options }: ExportCommandOptions,
): Promise<void> {
  if (operands.length > 1) throw wrongUse('One run is exported at a time', operands[1], 'Give one `path` of a run.');
  const [operand] = operands;
  // One JSON document is what --format json promises; without --output that is the run itself.
  const to = format === 'json' && output === undefined ? 'json' : options.to;
  if (to !== options.to && !quiet)
    note('--format json prints the run itself as JSON; with --output, --to says the form');
  const folder = await runFolderOf(operand, out);
  const run = folder === null ? null : await readRun(folder);
  if (run === null) throw noSuchRun(operand);
  const pieces = exportFormats.bind(to)(run);
  if (output === undefined) return printPieces(pieces);
  await writeAtomic(output, await joined(pieces));
  if (format === 'json') printJson({ run: operand, to, output });
  else if (!quiet) note(`wrote ${output}`);
}

async function exportTasks(
  selectors: readonly string[],
  { out, output, quiet, format, pool = defaultPool }: ExportCommandOptions,
): Promise<void> {
  if (format === 'json' && output === undefined) {
    throw wrongUse('A replay artifact is a line of JSON for each query, not one document', '--format json', withOutput);
  }
  const { header, pieces } = await exportReplay(selectors, pool, out);
  if (output === undefined) return printPieces(pieces);
  await writeAtomic(output, Buffer.concat(pieces));
  const { digest, counts } = header;
  const tasks = header.tasks.map(({ task }) => task);
  if (format === 'json') printJson({ to: replay, output, pool, digest, tasks, counts });
  else if (!quiet) note(`wrote ${output}: ${tasks.length} tasks, ${counts.queries} queries, digest ${digest}`);
}

const withOutput = 'Write it to a file with --output FILE; --format json then tells what was written.';

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** Piece by piece, waiting where the reader of a pipe is slower. */
async function printPieces(pieces: Pieces): Promise<void> {
  for await (const piece of pieces) if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
}

async function joined(pieces: Pieces): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return Buffer.concat(parts);
}

function wrongUse(what: string, value: string, fix: string): TenbinError {
  return new TenbinError('usage', { what, value, fix });
}
