import type { Command } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { printable } from '../../core/errors.js';
import { candidateMeasures } from '../../results/candidates/measures.js';
import type { ReplaySubject } from '../../results/replay/report.js';
import { defaultRunOptions } from '../../runners/run.js';
import { type ModelOptions, withModelOptions } from '../model-options.js';
import { type CommonOptions, repeated, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printJson, printText } from '../output.js';
import { type Replayed, replay } from '../replay-artifact.js';
import { factsTable, stageColumns, stageRecords, stageTable } from '../stage-tables.js';
import type { RegisterCommand } from './command.js';

interface ReplayCommandOptions extends CommonOptions, ModelOptions {
  readonly systems?: readonly string[];
  readonly measure?: readonly string[];
  readonly depth?: number;
  readonly seed: number;
  readonly dropOutside?: boolean;
}

export const registerReplay: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('replay')
    .description(
      'Score rerankers and run files on a frozen replay artifact (`tenbin export --to replay`), which is held to its digests.',
    )
    .argument('<file>', 'the artifact; gzip where its name ends in .gz')
    .argument('[run...]', 'run files of any form, or the `path` of a run of ours')
    .option('--systems <list>', 'rerankers, separated by a comma and a blank; repeatable', repeated)
    .option(
      '-m, --measure <name>',
      'a measure; repeatable (default: nDCG@10), the recall of its depth beside',
      repeated,
    )
    .option(
      '--depth <n>',
      'documents kept of each reranked list; all candidates are reranked (default: all)',
      wholeNumberOption(1, 100_000),
    )
    .option(
      '--seed <n>',
      'seed of models that draw random numbers',
      wholeNumberOption(0, 2 ** 32 - 1),
      defaultRunOptions.seed,
    )
    .option('--drop-outside', 'leave out documents of a run that are no candidates, instead of refusing it');
  withModelOptions(command);
  withCommon(command, ['csv']);
  withExamples(command, [
    'tenbin replay hybrid.jsonl --systems "ce-tiny, lsa@256"',
    'tenbin replay hybrid.jsonl.gz my.run -m nDCG@10 -m RR@10 --format json',
  ]);
  command.action(async (file: string, runs: string[], options: ReplayCommandOptions) =>
    onExit(await replayCommand(file, runs, options)),
  );
};

async function replayCommand(file: string, runs: readonly string[], options: ReplayCommandOptions): Promise<number> {
  const { systems = [], measure, depth = null, dropOutside } = options;
  const others = dropOutside ? 'drop' : 'refuse';
  const measures = candidateMeasures(measure);
  const replayed = await replay({ file, runs, systems, measures, depth, others }, options);
  if (!options.quiet) for (const line of notesOf(replayed)) note(line);
  print(replayed, options);
  return replayed.failures.length > 0 ? 1 : 0;
}

function print({ header, tasks, subjects, failures }: Replayed, { format }: ReplayCommandOptions): void {
  const { schema, digest, pool, counts } = header;
  if (format === 'json') printJson({ artifact: { schema, digest, pool, counts }, tasks, rankings: subjects, failures });
  else if (format === 'csv') printText(csvOf(subjects));
  else printText([`${pool} pool, digest ${digest}`, poolTable(tasks), tableOf(subjects)].join('\n\n'));
}

function poolTable(tasks: Replayed['tasks']): string {
  return factsTable(
    ['task'],
    tasks.map(({ task, pool }) => ({ head: [task], pool })),
  );
}

/** Means over the tasks; a ranking that lacks one says how many it has. */
function tableOf(subjects: readonly ReplaySubject[]): string {
  const staged = subjects.map(({ name, tasks, complete, mean }) => ({
    head: [complete ? printable(name) : `${printable(name)} (${tasks.length} tasks only)`],
    values: mean,
  }));
  return stageTable(['ranking'], staged);
}

function csvOf(subjects: readonly ReplaySubject[]): string {
  const staged = subjects.flatMap(({ name, kind, tasks, mean }) => [
    ...tasks.map(({ task, values }) => ({ head: [name, kind, task], values })),
    { head: [name, kind, 'mean'], values: mean },
  ]);
  return stringify([['ranking', 'kind', 'task', ...stageColumns], ...stageRecords(staged)], {
    cast: { number: String },
    escape_formulas: true,
    quoted_match: /[\r\n]/,
  });
}

/** What a reader of the means must know. */
function notesOf({ subjects, notes, failures }: Replayed): string[] {
  const gaps = subjects.flatMap(({ name, tasks }) =>
    tasks.flatMap(({ task, missing, incomplete }) => [
      ...(missing.length > 0 ? [`${name}, ${task}: ${missing.length} queries are missing and count with 0`] : []),
      ...(incomplete > 0 ? [`${name}, ${task}: ${incomplete} queries rank only some of their candidates`] : []),
    ]),
  );
  return [...notes, ...gaps, ...failures.map(({ name, task, reason }) => `failed  ${name}, ${task}: ${reason}`)];
}
