import { type Command, InvalidArgumentError, Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { fixed } from '../../core/numbers.js';
import { type TieRule, tieRules } from '../../results/order.js';
import { type ScorePrecision, scorePrecisions } from '../../results/precision.js';
import { type Scores, scoreRun } from '../../results/score.js';
import { type ScoreReport, scoreReport } from '../../results/score-report.js';
import { type CommonOptions, repeated, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import { measuresFrom, readJudgements, readRankings } from '../read-runs.js';
import { defaultMeasures } from './board.js';
import type { RegisterCommand } from './command.js';

interface ScoreCommandOptions extends CommonOptions {
  readonly measure?: readonly string[];
  readonly perQuery?: boolean;
  readonly complete: boolean;
  readonly level: number;
  readonly judgedOnly?: boolean;
  readonly ties: TieRule;
  readonly scorePrecision: ScorePrecision;
}

export const registerScore: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('score')
    .description(
      'Measures of run files against qrels. Formats are told by content: TREC, BEIR tsv, JSON, Parquet, gzip of any, `-` for stdin.',
    )
    .argument('<qrels>', 'judgements')
    .argument('<run...>', 'run files, or the `path` of a run of ours')
    .option('-m, --measure <name>', 'a measure; repeatable (default: nDCG@10 and five more)', repeated)
    .option('-q, --per-query', 'the values of every query too')
    .option('-c, --complete', 'all topics of the qrels count, missing ones with 0', true)
    .option('--no-complete', 'only topics that the run has count')
    .option('-l, --level <grade>', 'grade from which a document is relevant', levelOption, 1)
    .option('-J, --judged-only', 'take unjudged documents out before ranks are given')
    .addOption(
      new Option('--ties <rule>', 'all orders inside ties at once, or one of them')
        .choices(tieRules)
        .default('expected'),
    )
    .addOption(
      new Option('--score-precision <format>', 'round stored scores to this first')
        .choices(scorePrecisions)
        .default('f64'),
    );
  withCommon(command, ['csv']);
  withExamples(command, [
    'tenbin score qrels.txt my.run -m nDCG@10 -m "P(rel=2)@5"',
    'tenbin score qrels/test.tsv a.run b.run.gz -q --ties trec --format json',
  ]);
  command.action(async (qrels: string, runs: string[], options: ScoreCommandOptions) => {
    print(await scoreFiles(qrels, runs, options), options);
    onExit(0);
  });
};

async function scoreFiles(qrels: string, runs: readonly string[], options: ScoreCommandOptions): Promise<ScoreReport> {
  const judged = await readJudgements(qrels, options);
  const measures = measuresFrom(options.measure ?? defaultMeasures);
  const scored = [];
  for (const run of runs) {
    const rankings = await readRankings(run, options);
    const scores = scoreRun({
      rankings,
      judged,
      measures,
      run,
      ties: options.ties,
      topics: options.complete ? 'all' : 'retrieved',
      level: options.level,
      documents: options.judgedOnly ? 'judged' : 'all',
      precision: options.scorePrecision,
    });
    if (!options.quiet) for (const line of gapsIn(scores, judged.size, options)) note(`${run}: ${line}`);
    scored.push({ run, scores });
  }
  return scoreReport({ qrels, ties: options.ties, runs: scored, perQuery: options.perQuery ? 'shown' : 'left-out' });
}

/** Topics of one side that the other lacks. */
function gapsIn({ missing, unjudged }: Scores, topics: number, { complete }: ScoreCommandOptions): string[] {
  const where = complete ? 'with 0' : 'nowhere';
  return [
    ...(missing.length > 0 ? [`${missing.length} of ${topics} topics are missing and count ${where}`] : []),
    ...(unjudged.length > 0 ? [`${unjudged.length} queries are in no qrels and count nowhere`] : []),
  ];
}

function print(report: ScoreReport, { format }: ScoreCommandOptions): void {
  if (format === 'json') printJson(report);
  else printText(format === 'csv' ? csvOf(report) : tables(report));
}

function tables(report: ScoreReport): string {
  const names = Object.keys(report.runs[0]?.mean ?? {});
  const rows = report.runs.map(({ run, mean, queries }) => [
    run,
    ...names.map((name) => fixed(mean[name] ?? null)),
    queries,
  ]);
  const perQuery = report.runs.filter((run) => run.perQuery !== undefined).map((run) => perQueryTable(run, names));
  return [textTable(['run', ...names, 'queries'], rows), ...ranges(report), ...perQuery].join('\n\n');
}

/** Where ties leave a mean open, by how much. */
function ranges({ ties, runs }: ScoreReport): string[] {
  if (ties !== 'expected') return [];
  const open = runs.flatMap(({ run, range }) =>
    Object.entries(range).flatMap(([name, bounds]) =>
      bounds === null || bounds.max - bounds.min < 1e-12 ? [] : [[run, name, fixed(bounds.min), fixed(bounds.max)]],
    ),
  );
  return open.length === 0
    ? []
    : [`Ties leave these means open:\n${textTable(['run', 'measure', 'min', 'max'], open)}`];
}

function perQueryTable({ run, perQuery = {} }: ScoreReport['runs'][number], names: readonly string[]): string {
  const rows = Object.entries(perQuery).map(([query, values]) => [
    query,
    ...names.map((name) => fixed(values[name] ?? null)),
  ]);
  return `${run}\n${textTable(['query', ...names], rows)}`;
}

function csvOf({ runs }: ScoreReport): string {
  const rows = runs.flatMap(({ run, mean, range, perQuery = {} }) => [
    ...Object.entries(mean).map(([name, value]) => [run, 'all', name, value, range[name]?.min, range[name]?.max]),
    ...Object.entries(perQuery).flatMap(([query, values]) =>
      Object.entries(values).map(([name, value]) => [run, query, name, value]),
    ),
  ]);
  return stringify(rows, {
    header: true,
    columns: ['run', 'query', 'measure', 'value', 'min', 'max'],
    escape_formulas: true,
    cast: { number: String },
  });
}

function levelOption(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number is wanted.');
}
