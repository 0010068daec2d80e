import { type Command, InvalidArgumentError, Option } from 'commander';
import { TenbinError } from '../../core/errors.js';
import { taskId } from '../../core/ids.js';
import { buildBoard, defaultLevel } from '../../results/board.js';
import { gatherSystems } from '../../results/board-systems.js';
import type { Board } from '../../results/board-types.js';
import { defaultMeasures } from '../../results/default-measures.js';
import { meansOnly } from '../../results/measures/means-only.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { reports } from '../../results/reports/index.js';
import { type DrawLevel, drawLevels } from '../../results/stats/hierarchical.js';
import { type ScoredTask, writeBoard } from '../../results/store.js';
import { splitSystems } from '../../runners/grammar.js';
import { selectBuilt } from '../catalog.js';
import { type CommonOptions, repeated, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printText } from '../output.js';
import { startProgress } from '../progress.js';
import { systemIds } from '../system-names.js';
import { runBatch } from '../workers.js';
import type { RegisterCommand } from './command.js';

export interface BoardCommandOptions extends CommonOptions {
  readonly systems?: readonly string[];
  readonly measure?: readonly string[];
  readonly resample: DrawLevel;
  readonly resamples: number;
  readonly seed: number;
}

export const defaultBootstrap = { resample: defaultLevel, resamples: 1000, seed: 17 } as const;

export const registerBoard: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('board')
    .description(
      'The leaderboard of all runs on the selected tasks; writes out/board/{board.json,board.md,board.csv,index.html}.',
    )
    .argument('[selector...]', 'tasks, suites, globs, language:xx, domain:xx, !selector (default: all tasks with runs)')
    .option(
      '--systems <list>',
      'systems, separated by a comma and a blank; repeatable (default: all that have runs)',
      repeated,
    )
    .option(
      '-m, --measure <name>',
      'a measure; repeatable, the first one ranks (default: nDCG@10 and five more)',
      repeated,
    )
    .addOption(
      new Option(
        '--resample <level>',
        `what the bootstrap draws for means over tasks: ${drawLevels.map(spelled).join(', ')} (a suite with one task draws its queries)`,
      )
        .argParser(drawLevel)
        .default(defaultBootstrap.resample, spelled(defaultBootstrap.resample)),
    )
    .option('--resamples <n>', 'bootstrap samples', wholeNumberOption(1, 1_000_000), defaultBootstrap.resamples)
    .option('--seed <n>', 'seed of the bootstrap', wholeNumberOption(0, 2 ** 32 - 1), defaultBootstrap.seed);
  withCommon(
    command,
    reports.plugins.map(({ name }) => name).filter((name) => name !== 'table' && name !== 'json'),
  );
  withExamples(command, [
    'tenbin board embedded-en',
    'tenbin board demo --systems "bm25, lsa@256" -m RR@10 --format markdown',
  ]);
  command.action(async (selectors: string[], options: BoardCommandOptions) =>
    onExit(await boardCommand(selectors, options)),
  );
};

const spelled = (level: DrawLevel): string => level.replaceAll(' ', '-');

/** As a word of its own, or as board.json has it. */
function drawLevel(text: string): DrawLevel {
  const level = drawLevels.find((each) => each === text || spelled(each) === text);
  if (level !== undefined) return level;
  throw new InvalidArgumentError(`One of ${drawLevels.map(spelled).join(', ')} is wanted.`);
}

async function boardCommand(selectors: readonly string[], options: BoardCommandOptions): Promise<number> {
  const { board, problems } = await makeBoard(selectors, options);
  printText(reports.bind(options.format).render(board));
  return problems > 0 ? 1 : 0;
}

export interface MadeBoard {
  readonly board: Board;
  /** Runs and tasks left out because they are damaged, failed or made under other conditions. */
  readonly problems: number;
}

/** Scores the stored runs of the selected tasks, writes the board and returns it. */
export async function makeBoard(selectors: readonly string[], options: BoardCommandOptions): Promise<MadeBoard> {
  const measures = withJudged(
    meansOnly((options.measure ?? defaultMeasures).map(parseMeasure)).map(({ name }) => name),
  );
  const { built, unbuilt } = await selectBuilt(options.out, selectors);
  const tasks = built.map(({ suite, task }) => taskId(`${suite}/${task}`));
  const named = options.systems?.flatMap(splitSystems);
  const wanted = named === undefined ? null : await systemIds(named, options.out, tasks);
  if (!options.quiet) for (const { id, reason } of unbuilt) note(`left out  ${id}: ${reason}`);
  const scored = await scoreAll(
    tasks.map((task) => ({ root: options.out, task, measures, systems: wanted })),
    options,
  );
  const shown = selectors.length > 0 ? scored : withResults(scored);
  checkShown(shown, wanted, options);
  const { systems, imported, leftOut } = gatherSystems(shown);
  if (!options.quiet) for (const line of leftOut) note(`left out  ${line}`);
  const board = buildBoard({
    tasks: shown.flatMap(({ task }) => (task === null ? [] : [task])),
    ...{ systems, imported, measures },
    primary: measures[0] ?? defaultMeasures[0],
    ...{ level: options.resample, resamples: options.resamples, seed: options.seed },
  });
  const paths = await writeBoard(options.out, board);
  if (!options.quiet) note(`wrote ${paths.join(', ')}`);
  const refused = [...leftOut, ...scored.flatMap((task) => task.leftOut)].length;
  return { board, problems: refused + unbuilt.filter(({ damaged }) => damaged).length };
}

/** Tasks with runs; where no task has any, those with imported results, which alone would leave every run incomplete. */
function withResults(scored: readonly ScoredTask[]): readonly ScoredTask[] {
  const run = scored.filter(({ systems }) => systems.length > 0);
  return run.length > 0 ? run : scored.filter(({ imported }) => imported.length > 0);
}

/** Unjudged is not zero: how much of a list is judged stands beside every measure with a cut-off. */
function withJudged(measures: readonly string[]): string[] {
  const cutoffs = measures.flatMap((name) => /@\d+$/.exec(name)?.[0] ?? []);
  return [...new Set([...measures, ...cutoffs.map((cutoff) => `Judged${cutoff}`)])];
}

/** A board without a system would wipe the one before it, and a system that is silently missing would mislead. */
function checkShown(
  shown: readonly ScoredTask[],
  wanted: readonly string[] | null,
  { quiet }: BoardCommandOptions,
): void {
  const ids = new Set(shown.flatMap(({ systems, imported }) => [...systems, ...imported].map(({ id }) => id)));
  if (ids.size === 0) {
    throw new TenbinError('missing', {
      what: 'There is no run to show',
      ...(wanted === null ? {} : { value: wanted.join(', ') }),
      fix: 'Run `tenbin run` first; runs that were left out are named above. The board on disk is left as it is.',
    });
  }
  const absent = (wanted ?? []).filter((id) => !ids.has(id));
  if (absent.length > 0 && !quiet) note(`no runs, left out: ${absent.join(', ')}`);
}

type ScoreJobs = Parameters<typeof runBatch<'score'>>[0]['jobs'];

async function scoreAll(jobs: ScoreJobs, { quiet, jobs: threads }: BoardCommandOptions): Promise<ScoredTask[]> {
  const progress = startProgress('score', jobs.length, quiet);
  try {
    return await runBatch({
      handler: 'score',
      jobs,
      threads,
      onEvent: () => undefined,
      onSettled: ({ task, leftOut }) => {
        for (const line of leftOut) progress.note(`left out  ${line}`);
        progress.tick(task?.id ?? '');
      },
      onCrash: ({ task }, reason) => ({ task: null, systems: [], imported: [], leftOut: [`${task}: ${reason}`] }),
    });
  } finally {
    progress.stop();
  }
}
