import { resolve } from 'node:path';
import type { Command } from 'commander';
import { printable, TenbinError } from '../../core/errors.js';
import { costKey } from '../../results/pareto/cost-keys.js';
import { type Pareto, paretoOf } from '../../results/pareto/pareto.js';
import { paretoSvg } from '../../results/pareto/svg.js';
import { crowdRule, mostLabelled } from '../../results/reports/html-plot.js';
import { writeAtomic } from '../../tasks/files.js';
import { type CommonOptions, withCommon, withExamples } from '../options.js';
import { note, printJson, printText } from '../output.js';
import { measureOf, readBoardFile, systemsOf } from '../pareto/board-file.js';
import { type ChoosingOptions, notePools, pricesOf, withChoosing } from '../pareto/choosing.js';
import { paretoText } from '../pareto/pareto-text.js';
import type { RegisterCommand } from './command.js';

interface ParetoOptions extends CommonOptions, ChoosingOptions {
  readonly x: string;
  /** A file. */
  readonly svg?: string;
}

export const registerPareto: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('pareto')
    .description('Quality against cost: which systems are on the frontier, what dominates the others, and how surely.')
    .argument('[board]', 'a board.json (default: <out>/board/board.json)')
    .option('--x <cost>', 'a cost of the board, such as flopsPerQuery or latencyMs.p95; p50, p95, usd', 'bytesPerDoc')
    .option('--svg <file>', 'also writes the plot to this file');
  withChoosing(command);
  withCommon(command, ['svg']);
  withExamples(command, [
    'tenbin pareto --x bytesPerDoc --y nDCG@10 --svg pareto.svg',
    'tenbin pareto out/board/board.json --x p95 --systems "bm25, lsa@256" --format json',
  ]);
  command.action(async (path: string | undefined, options: ParetoOptions) => {
    onExit(await paretoCommand(path, options));
  });
};

async function paretoCommand(path: string | undefined, options: ParetoOptions): Promise<number> {
  const { out, x, svg, format, quiet, withSafeguarded } = options;
  const file = await readBoardFile(path, out);
  const { board } = file;
  const systems = await systemsOf(file, options.systems, out);
  const pareto = paretoOf(board, {
    x: costKey(x, board.systems, pricesOf(options)),
    y: measureOf(board, options.y),
    ...(systems !== undefined && { systems }),
    safeguarded: withSafeguarded === true ? 'with' : 'without',
  });
  if (svg !== undefined) await writeAtomic(svg, drawn(pareto));
  if (!quiet) {
    notePools(pareto.points.map(({ system }) => system));
    if (svg !== undefined) note(`wrote ${printable(resolve(svg))}`);
    if (svg !== undefined || format === 'svg') noteLabels(pareto);
  }
  if (format === 'json') printJson(pareto);
  else printText(format === 'svg' ? drawn(pareto) : paretoText(pareto));
  // Nothing could be compared, and the reasons stand there.
  return pareto.points.length === 0 ? 1 : 0;
}

function noteLabels({ points }: Pareto): void {
  if (points.length > mostLabelled) {
    note(`${points.length} points are more than can be named: ${crowdRule}`);
  }
}

function drawn(pareto: Pareto): string {
  const svg = paretoSvg(pareto);
  if (svg !== null) return svg;
  throw new TenbinError('missing', {
    what: 'There is no point to draw',
    value: `${pareto.y.measure} against ${pareto.x.key}`,
    fix: '`tenbin pareto --format table` says why each system is left out.',
  });
}
