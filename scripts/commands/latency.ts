import { resolve } from 'node:path';
import type { Command } from 'commander';
import { printable } from '../../core/errors.js';
import { latencyDrawing } from '../../results/latency/drawing.js';
import { type LatencyReport, latencyReport } from '../../results/latency/report.js';
import type { LatencyRecord } from '../../results/latency/samples.js';
import { latencyNotes, latencyTables } from '../../results/latency/tables.js';
import { priceFrom } from '../../runners/backends/price.js';
import { defaultRunOptions } from '../../runners/run.js';
import { writeAtomic } from '../../tasks/files.js';
import { measureAll } from '../latency/measure-all.js';
import { checkFrom, concurrencyFrom, type LatencyOptions, rateFrom } from '../latency/options.js';
import { readRecord, writeRecord } from '../latency/record-file.js';
import { withModelOptions } from '../model-options.js';
import { repeated, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import type { RegisterCommand } from './command.js';

const mostRequests = 1_000_000;

export const registerLatency: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('latency')
    .description('Measure how long systems take to answer, one query at a time, under load.')
    .option('--systems <list>', 'systems, separated by a comma and a blank; repeatable', repeated)
    .option('--task <id>', 'a built task, whose queries are asked in a shuffled order')
    .option(
      '--concurrency <list>',
      'users who each ask again when answered, such as 1,8,32 (default: 1)',
      concurrencyFrom,
    )
    .option('--rate <n>', 'open load: so many requests a second by chance (Poisson), answered or not', rateFrom)
    .option('--paired <systems>', 'two systems in turns, "A, B": a ratio that a noisy machine leaves alone')
    .option('--warmup <n>', 'requests before the measured ones', wholeNumberOption(0, mostRequests), 20)
    .option('--requests <n>', 'requests of each system and load', wholeNumberOption(1, mostRequests), 500)
    .option(
      '--slots <n>',
      'requests served at once (default: 1; without --rate, for services as many as users)',
      wholeNumberOption(1, 1000),
    )
    .option(
      '--timeout-ms <n>',
      'count answers that take longer; they are measured all the same',
      wholeNumberOption(1, 1e9),
    )
    .option('--depth <n>', 'documents of an answer', wholeNumberOption(1, 100_000), defaultRunOptions.depth)
    .option(
      '--seed <n>',
      'of the order of queries and of arrivals',
      wholeNumberOption(0, 2 ** 32 - 2),
      defaultRunOptions.seed,
    )
    .option('--threads <n>', 'threads of a model (default: all)', wholeNumberOption(1, 1024))
    .option('--svg <file>', 'write a drawing of percentiles and shares')
    .option('--from <file>', 'report samples that were measured before (`latency/` below --out)');
  withModelOptions(command);
  withCommon(command);
  withExamples(command, [
    'tenbin latency --systems "bm25, lsa@256" --task embedded-code/jsfn-rxjs --concurrency 1,8',
    'tenbin latency --paired "lsa@256, lsa@256+int8" --task embedded-code/jsfn-rxjs --format json',
  ]);
  command.action(async (options: LatencyOptions) => onExit(await latencyCommand(options, command)));
};

async function latencyCommand(options: LatencyOptions, command: Command): Promise<number> {
  const { record, path } = await recordOf(options, command);
  const report = latencyReport(record, { prices: pricesOf(), timeoutMs: timeoutOf(options, record) });
  if (options.svg !== undefined) await writeAtomic(options.svg, latencyDrawing(report));
  if (options.format === 'json') printJson({ ...report, samples: path });
  else printText(reportText(report));
  if (!options.quiet) {
    note(`samples: ${printable(path)}`);
    if (options.svg !== undefined) note(`wrote ${printable(resolve(options.svg))}`);
  }
  const good = report.refused.length === 0 && report.systems.every((one) => one.failures === 0 && !one.interrupted);
  return good && report.systems.length > 0 ? 0 : 1;
}

/** Samples are written before anything is made of them. */
async function recordOf(
  options: LatencyOptions,
  command: Command,
): Promise<{ readonly record: LatencyRecord; readonly path: string }> {
  if (options.from === undefined) {
    const record = await measureAll(options);
    return { record, path: await writeRecord(options.out, record) };
  }
  checkFrom(command);
  return { record: await readRecord(options.from), path: options.from };
}

function pricesOf() {
  return {
    prompt: priceFrom(process.env, 'TENBIN_PRICE_PROMPT'),
    completion: priceFrom(process.env, 'TENBIN_PRICE_COMPLETION'),
  };
}

function timeoutOf({ timeoutMs }: LatencyOptions, { conditions }: LatencyRecord): number | null {
  if (timeoutMs !== undefined) return timeoutMs;
  return typeof conditions.timeoutMs === 'number' ? conditions.timeoutMs : null;
}

function reportText(report: LatencyReport): string {
  const tables = latencyTables(report).map(({ title, head, rows }) => `${title}\n${textTable(head, rows)}`);
  return [...tables, latencyNotes(report).join('\n')].filter((part) => part !== '').join('\n\n');
}
