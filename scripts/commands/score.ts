import { type Command, InvalidArgumentError, Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { TenbinError } from '../../core/errors.js';
import { fixed } from '../../core/numbers.js';
import { defaultMeasures } from '../../results/default-measures.js';
import { type TieRule, tieRules } from '../../results/order.js';
import { type ScorePrecision, scorePrecisions } from '../../results/precision.js';
import { echoesGrades } from '../../results/readers/echo.js';
import { type ScoreRequest, type Scores, scoreRun } from '../../results/score.js';
import { type ScoreReport, scoreReport } from '../../results/score-report.js';
import { inTopicOrder, measuresOf, trecText } from '../../results/trec/layout.js';
import { selectTrecLines } from '../../results/trec/select.js';
import { undefinedText } from '../../results/trec/undefined-rows.js';
import { type CommonOptions, repeated, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import { measuresFrom, readJudgements, readRankings, readTaggedRun } from '../read-runs.js';
import type { RegisterCommand } from './command.js';

interface ScoreCommandOptions extends CommonOptions {
  readonly measure?: readonly string[];
  readonly perQuery?: boolean;
  /** False after `-n`. */
  readonly summary: boolean;
  readonly complete: boolean;
  readonly level: number;
  readonly judgedOnly?: boolean;
  readonly depth?: number;
  readonly ties: TieRule;
  readonly scorePrecision: ScorePrecision;
}

export const registerScore: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('score')
    .description(
      'Measures of run files against qrels. Formats are told by content: TREC, BEIR tsv, JSON, CSV, Parquet, gzip of any, `-` for stdin.',
    )
    .argument('<qrels>', 'judgements')
    .argument('<run...>', 'run files, or the `path` of a run of ours');
  withCommon(withScoreOptions(command), ['csv', 'trec']);
  withExamples(command, [
    'tenbin score qrels.txt my.run -m nDCG@10 -m "P(rel=2)@5"',
    'tenbin score qrels/test.tsv a.run b.run.gz -q --ties trec --format json',
    'tenbin score --format trec -q -c -m official -m ndcg_cut.10 qrels.txt my.run',
  ]);
  command.action(async (qrels: string, runs: string[], given: ScoreCommandOptions) => {
    const options = given.format === 'trec' ? likeTrecEval(given, command) : given;
    if (options.format === 'trec') await printTrec(qrels, runs, options);
    else print(await scoreFiles(qrels, runs, options), options);
    onExit(0);
  });
};

function withScoreOptions(command: Command): Command {
  return command
    .option(
      '-m, --measure <name>',
      "a measure, or trec_eval's `official`, `all_trec`, `P.5,10`; repeatable (default: nDCG@10 and five more; of trec: official)",
      repeated,
    )
    .option('-q, --per-query', 'the values of every query too')
    .option('-n, --no-summary', 'only the values of the queries')
    .option('-c, --complete', 'all topics of the qrels count, missing ones with 0 (default, but not of trec)', true)
    .option('--no-complete', 'only topics that the run has count')
    .option('-l, --level <grade>', 'grade from which a document is relevant', levelOption, 1)
    .option('-J, --judged-only', 'take unjudged documents out before ranks are given')
    .option('-M, --depth <n>', 'only the first n documents of a query count, and those tied with the last', depthOption)
    .option('-N, --collection <docs>', "trec_eval's size of the collection; no measure here needs it", levelOption)
    .addOption(
      new Option('--ties <rule>', 'all orders inside ties at once, or one of them (of trec: trec)')
        .choices(tieRules)
        .default('expected'),
    )
    .addOption(
      new Option('--score-precision <format>', 'round stored scores to this first')
        .choices(scorePrecisions)
        .default('f64'),
    );
}

/** What is not said is as in trec_eval: ties by id descending, and topics that the run lacks count nowhere. */
function likeTrecEval(options: ScoreCommandOptions, command: Command): ScoreCommandOptions {
  const said = (name: string) => command.getOptionValueSource(name) !== 'default';
  return { ...options, ties: said('ties') ? options.ties : 'trec', complete: said('complete') && options.complete };
}

async function scoreFiles(qrels: string, runs: readonly string[], options: ScoreCommandOptions): Promise<ScoreReport> {
  if (!options.summary && !options.perQuery && options.format !== 'json') throw nothingLeft();
  const judged = await readJudgements(qrels, options);
  const measures = measuresFrom(options.measure ?? defaultMeasures);
  const scored = [];
  for (const run of runs) {
    const rankings = await readRankings(run, options);
    if (echoesGrades(rankings, judged) && !options.quiet)
      note(`${run}: every score is the grade of its document; is this the qrels file?`);
    const scores = scoresOf({ rankings, judged, measures, run }, options);
    if (scores.missing.length === judged.size) throw nothingInCommon(qrels, run);
    scored.push({ run, scores });
  }
  return scoreReport({
    qrels,
    ties: options.ties,
    runs: scored,
    perQuery: options.perQuery ? 'shown' : 'left-out',
    summary: options.summary ? 'shown' : 'left-out',
  });
}

/** The output of trec_eval 10.0, run after run. */
async function printTrec(qrels: string, runs: readonly string[], options: ScoreCommandOptions): Promise<void> {
  const { lines, leftOut, ignored } = selectTrecLines(options.measure ?? ['official']);
  const say = (text: string) => options.quiet || note(text);
  if (leftOut.length > 0) say(`left out, since tenbin does not have them: ${leftOut.join(', ')}`);
  if (ignored.length > 0)
    say(`given parameters twice, of which the first count, as in trec_eval: ${ignored.join(', ')}`);
  const judged = inTopicOrder(await readJudgements(qrels, options));
  for (const run of runs) {
    const { rankings, tag } = await readTaggedRun(run, options);
    const scores = scoresOf({ rankings, judged, measures: measuresOf(lines), run }, options);
    if (scores.missing.length === judged.size) throw nothingInCommon(qrels, run);
    const text = trecText({
      lines,
      scores,
      tag,
      topics: options.complete ? 'all' : 'retrieved',
      documents: options.judgedOnly ? 'judged' : 'all',
      perQuery: options.perQuery ? 'shown' : 'left-out',
      summary: options.summary ? 'shown' : 'left-out',
    });
    if (text.includes(`\t${undefinedText}\n`)) {
      say(`${run}: -nan is trec_eval's own 0/0 where -J leaves no document of a topic; other formats have 0`);
    }
    process.stdout.write(text);
  }
}

type Subject = Pick<ScoreRequest, 'rankings' | 'judged' | 'measures'> & { readonly run: string };

function scoresOf(subject: Subject, options: ScoreCommandOptions): Scores {
  const scores = scoreRun({
    ...subject,
    ties: options.ties,
    topics: options.complete ? 'all' : 'retrieved',
    level: options.level,
    documents: options.judgedOnly ? 'judged' : 'all',
    precision: options.scorePrecision,
    ...(options.depth === undefined ? {} : { depth: options.depth }),
  });
  if (!options.quiet) {
    for (const line of gapsIn(scores, subject.judged.size, options)) note(`${subject.run}: ${line}`);
  }
  return scores;
}

/** Topics of one side that the other lacks. */
function gapsIn({ missing, unjudged }: Scores, topics: number, { complete, format }: ScoreCommandOptions): string[] {
  const stops = format === 'trec' ? '; trec_eval 10.0 stops at the first, 9 goes on; `-c` counts them with 0' : '';
  const where = complete ? 'with 0' : `nowhere${stops}`;
  return [
    ...(missing.length > 0 ? [`${missing.length} of ${topics} topics are missing and count ${where}`] : []),
    ...(unjudged.length > 0 ? [`${unjudged.length} queries are in no qrels and count nowhere`] : []),
  ];
}

function nothingLeft(): TenbinError {
  return new TenbinError('usage', {
    what: 'Without the summary and without the queries there is nothing to print',
    value: '`-n`',
    fix: 'Give `-q` too.',
  });
}

function nothingInCommon(qrels: string, run: string): TenbinError {
  return new TenbinError('malformed', {
    what: 'No query of the run is in the qrels',
    value: `${qrels}, ${run}`,
    fix: 'Give a run and qrels of the same topics; ids are compared as text, so `007` is not `7`.',
  });
}

function print(report: ScoreReport, { format, summary }: ScoreCommandOptions): void {
  if (format === 'json') printJson(report);
  else if (format === 'csv') printText(csvOf(report));
  else printText([...(summary ? summaryTables(report) : []), ...queryTables(report)].join('\n\n'));
}

function summaryTables(report: ScoreReport): string[] {
  const names = Object.keys(report.runs[0]?.mean ?? {});
  const rows = report.runs.map(({ run, mean, queries }) => [
    run,
    ...names.map((name) => fixed(mean[name] ?? null)),
    queries,
  ]);
  return [textTable(['run', ...names, 'queries'], rows), ...ranges(report)];
}

function queryTables({ runs }: ScoreReport): string[] {
  return runs.filter(({ perQuery }) => perQuery !== undefined).map(perQueryTable);
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

function perQueryTable({ run, perQuery = {} }: ScoreReport['runs'][number]): string {
  const names = Object.keys(Object.values(perQuery)[0] ?? {});
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
      Object.entries(values).map(([name, value]) => [run, query, name, value, undefined, undefined]),
    ),
  ]);
  return stringify(rows, {
    header: true,
    columns: ['run', 'query', 'measure', 'value', 'min', 'max'],
    escape_formulas: true,
    cast: { number: String },
  });
}

const depthOption = wholeNumberOption(1, 1_000_000_000);

function levelOption(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number is wanted.');
}
