import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { TenbinError } from '../../core/errors.js';
import { taskId } from '../../core/ids.js';
import { fixed } from '../../core/numbers.js';
import { defaultMeasures } from '../../results/default-measures.js';
import { type ScorePrecision, scorePrecisions } from '../../results/precision.js';
import { type TieFacts, type TieRequest, tieFacts } from '../../results/tie-report.js';
import { splitSystems } from '../../runners/grammar.js';
import { readRun, runPath } from '../../runners/store.js';
import { readNanoSet } from '../../tasks/store.js';
import { selectBuilt } from '../catalog.js';
import { type CommonOptions, repeated, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import { measuresFrom, readJudgements, readRankings } from '../read-runs.js';
import { systemIds } from '../system-names.js';
import type { RegisterCommand } from './command.js';

interface TiesOptions extends CommonOptions {
  readonly measure?: readonly string[];
  readonly tasks?: readonly string[];
  readonly systems?: readonly string[];
  readonly scorePrecision: ScorePrecision;
}

/** A run with its judgements, and what it is called. */
type Subject = Pick<TieRequest, 'rankings' | 'judged'> & { readonly run: string };

/** The facts of the precision asked for, and beside them those of every other one. */
type TiesRow = { readonly run: string; readonly byPrecision: readonly TieFacts[] } & TieFacts;

export const registerTies: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('ties')
    .description(
      'What ties do to a run: how many there are, how far they leave each measure open, how fixed orders bias it.',
    )
    .argument('[qrels]', 'judgements')
    .argument('[run...]', 'run files, or the `path` of a run of ours')
    .option('--tasks <selector...>', 'instead of files: built tasks, suites, globs, language:xx, !selector')
    .option('--systems <list>', 'the systems whose runs on them are looked at; repeatable', repeated)
    .option('-m, --measure <name>', 'a measure; repeatable (default: nDCG@10 and five more)', repeated)
    .addOption(
      new Option('--score-precision <format>', 'round stored scores to this first')
        .choices(scorePrecisions)
        .default('f64'),
    );
  withCommon(command);
  withExamples(command, [
    'tenbin ties qrels.txt my.run -m nDCG@10 -m RR@10',
    'tenbin ties --tasks embedded-code/jsfn-rxjs --systems "bm25, lsa@256+binary"',
  ]);
  command.action(async (qrels: string | undefined, runs: string[], options: TiesOptions) => {
    const subjects = await subjectsOf(qrels, runs, options);
    const rows = subjects.flatMap((subject) => rowOf(subject, options));
    if (options.format === 'json') printJson({ runs: rows });
    else printText(rows.map(tablesOf).join('\n\n'));
    onExit(rows.length === 0 ? 1 : 0);
  });
};

async function subjectsOf(
  qrels: string | undefined,
  runs: readonly string[],
  options: TiesOptions,
): Promise<Subject[]> {
  const { tasks, systems } = options;
  if (qrels !== undefined && runs.length > 0 && tasks === undefined && systems === undefined) {
    const judged = await readJudgements(qrels, options);
    return Promise.all(runs.map(async (run) => ({ run, judged, rankings: await readRankings(run, options) })));
  }
  if (qrels === undefined && tasks !== undefined && systems !== undefined)
    return subjectsOfTasks(tasks, systems, options);
  throw new TenbinError('usage', {
    what: 'Ties are looked for in run files or in runs of systems on tasks',
    fix: 'Write `tenbin ties QRELS RUN…`, or `tenbin ties --tasks SELECTOR… --systems "a, b"`.',
  });
}

async function subjectsOfTasks(
  selectors: readonly string[],
  lists: readonly string[],
  { out: root, quiet }: TiesOptions,
): Promise<Subject[]> {
  const { built, unbuilt } = await selectBuilt(root, selectors);
  if (!quiet) for (const { id, reason } of unbuilt) note(`left out  ${id}: ${reason}`);
  const systems = await systemIds(lists.flatMap(splitSystems), root);
  const subjects: Subject[] = [];
  for (const { suite, task } of built) {
    const id = taskId(`${suite}/${task}`);
    const { judged } = await readNanoSet(root, id);
    for (const system of systems) {
      const run = await readRun(join(root, runPath(id, system)));
      if (run !== null) subjects.push({ run: `${id} ${system}`, judged, rankings: run.rankings });
      else if (!quiet) note(`left out  ${id} ${system}: it has no complete run; \`tenbin run\` makes one`);
    }
  }
  return subjects;
}

function rowOf(subject: Subject, { measure, scorePrecision, quiet }: TiesOptions): TiesRow[] {
  const measures = measuresFrom(measure ?? defaultMeasures);
  const facts = scorePrecisions.map((precision) => tieFacts({ ...subject, measures, precision }));
  const byPrecision = facts.filter((each) => each !== null);
  const asked = byPrecision.find(({ precision }) => precision === scorePrecision);
  if (asked !== undefined) return [{ run: subject.run, ...asked, byPrecision }];
  if (!quiet) note(`left out  ${subject.run}: no query of it counts`);
  return [];
}

function tablesOf({ run, byPrecision, ...asked }: TiesRow): string {
  const measures = Object.entries(asked.measures).map(([name, { expected, min, max, range, bias }]) => [
    name,
    ...[expected, min, max, range, bias.trec, bias.id, bias.input].map((value) => fixed(value)),
  ]);
  const [primary = ''] = Object.keys(asked.measures);
  const precisions = byPrecision.map(({ precision, measures: of, ...counts }) => [
    precision,
    `${counts.tiedQueries} / ${counts.queries}`,
    ...[counts.tieGroups, counts.tiedDocuments, counts.distinctScores].map((value) => fixed(value, 1)),
    fixed(of[primary]?.range ?? null),
    fixed(of[primary]?.bias.trec ?? null),
  ]);
  return [
    `${run}, scores in ${asked.precision}`,
    textTable(['measure', 'expected', 'min', 'max', 'range', 'bias trec', 'bias id', 'bias input'], measures),
    'Scores rounded to each format (means over queries):',
    textTable(
      ['format', 'tied queries', 'tie groups', 'tied docs', 'distinct', `${primary} range`, 'bias trec'],
      precisions,
    ),
  ].join('\n');
}
