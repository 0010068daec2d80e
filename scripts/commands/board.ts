import type { Command } from 'commander';
import { TenbinError } from '../../core/errors.js';
import { groupBy } from '../../core/group.js';
import { taskId } from '../../core/ids.js';
import { buildBoard } from '../../results/board.js';
import type { Board, BoardTask, SystemResults } from '../../results/board-types.js';
import { meansOnly } from '../../results/measures/means-only.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { reports } from '../../results/reports/index.js';
import { type ScoredTask, writeBoard } from '../../results/store.js';
import { modelNames } from '../../runners/backends/resolve/index.js';
import { parseSystem, splitSystems } from '../../runners/grammar.js';
import { namingCatalog } from '../../runners/models/catalog.js';
import { selectBuilt } from '../catalog.js';
import { type CommonOptions, repeated, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printText } from '../output.js';
import { startProgress } from '../progress.js';
import { runBatch } from '../workers.js';
import type { RegisterCommand } from './command.js';

export interface BoardCommandOptions extends CommonOptions {
  readonly systems?: readonly string[];
  readonly measure?: readonly string[];
  readonly resamples: number;
  readonly seed: number;
}

/** The first is the one that ranks. */
export const defaultMeasures = ['nDCG@10', 'RR@10', 'AP@100', 'R@100', 'Success@10', 'Judged@10'] as const;
export const defaultBootstrap = { resamples: 1000, seed: 17 } as const;

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

/** A board needs the names of systems, not their models. */
function canonicalId(text: string): string {
  return parseSystem(text, namingCatalog(modelNames({ environment: process.env })).catalog).id;
}

/** Scores the stored runs of the selected tasks, writes the board and returns it. */
export async function makeBoard(selectors: readonly string[], options: BoardCommandOptions): Promise<MadeBoard> {
  const measures = withJudged(
    meansOnly((options.measure ?? defaultMeasures).map(parseMeasure)).map(({ name }) => name),
  );
  const wanted = options.systems?.flatMap(splitSystems).map(canonicalId) ?? null;
  const { built, unbuilt } = await selectBuilt(options.out, selectors);
  if (!options.quiet) for (const { id, reason } of unbuilt) note(`left out  ${id}: ${reason}`);
  const jobs = built.map(({ suite, task }) => ({
    root: options.out,
    task: taskId(`${suite}/${task}`),
    measures,
    systems: wanted,
  }));
  const scored = await scoreAll(jobs, options);
  const shown = selectors.length > 0 ? scored : scored.filter(({ systems }) => systems.length > 0);
  checkShown(shown, wanted, options);
  const board = buildBoard({
    tasks: shown.flatMap(({ task }) => (task === null ? [] : [task])),
    systems: bySystem(shown),
    measures,
    primary: measures[0] ?? defaultMeasures[0],
    resamples: options.resamples,
    seed: options.seed,
  });
  const paths = await writeBoard(options.out, board);
  if (!options.quiet) note(`wrote ${paths.join(', ')}`);
  const problems = scored.flatMap(({ leftOut }) => leftOut).length + unbuilt.filter(({ damaged }) => damaged).length;
  return { board, problems };
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
  const ids = new Set(shown.flatMap(({ systems }) => systems.map(({ id }) => id)));
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
      onCrash: ({ task }, reason) => ({ task: null, systems: [], leftOut: [`${task}: ${reason}`] }),
    });
  } finally {
    progress.stop();
  }
}

function bySystem(scored: readonly ScoredTask[]): SystemResults[] {
  const entries = scored.flatMap(({ task, systems }) =>
    systems.map((system) => ({ task: task as BoardTask, ...system })),
  );
  return [...groupBy(entries, ({ id }) => id)].map(([id, rows]) => ({
    id,
    family: rows[0]?.family ?? 'lexical',
    tasks: new Map(rows.map(({ task, results }) => [task.id, results])),
  }));
}
