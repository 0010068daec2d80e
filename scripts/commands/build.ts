import type { Command } from 'commander';
import { Option } from 'commander';
import { type BuildOptions, type BuildOutcome, defaultBuildOptions } from '../../builders/build.js';
import { writeCard } from '../../builders/card.js';
import { samplers } from '../../builders/samplers/index.js';
import { TenbinError } from '../../core/errors.js';
import { taskId } from '../../core/ids.js';
import { parseSystem } from '../../runners/grammar.js';
import { bindSource } from '../../tasks/sources/index.js';
import type { TaskSpec } from '../../tasks/types.js';
import { readCatalog, select, specOf } from '../catalog.js';
import { type CommonOptions, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import { startProgress } from '../progress.js';
import { runBatch } from '../workers.js';
import type { RegisterCommand } from './index.js';

export interface BuildCommandOptions extends CommonOptions, BuildOptions {
  readonly source?: string;
  readonly name?: string;
  readonly force?: boolean;
}

const defaults = defaultBuildOptions;

export const registerBuild: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('build')
    .description('Shrink collections into frozen nano-sets.')
    .argument('[selector...]', 'tasks, suites, globs, language:xx, domain:xx, !selector')
    .option('--source <spec>', 'a collection of your own: beir:<folder>, trec:<folder>, npm:<name>; goes with --name')
    .option('--name <suite/task>', 'the name of the task made from --source')
    .option('--queries <n>', 'queries at most', wholeNumberOption(1, 1_000_000), defaults.queries)
    .option(
      '--docs <n>',
      'documents at most (positives are never dropped)',
      wholeNumberOption(1, 100_000_000),
      defaults.docs,
    )
    .option('--seed <n>', 'key of the choice', wholeNumberOption(0, 2 ** 31), defaults.seed)
    .addOption(
      new Option('--sampler <name>', 'how queries and documents are chosen')
        .choices(samplers.plugins.map(({ name }) => name))
        .default(defaults.sampler),
    )
    .option('--depth <n>', 'documents in the bm25 and dense pools', wholeNumberOption(1, 100_000), defaults.depth)
    .option('--dense <system>', 'dense system of the dense pool', defaults.dense)
    .option('--rrf-k <n>', 'k of reciprocal rank fusion', wholeNumberOption(1, 100_000), defaults.rrfK)
    .option('--pool-size <n>', 'documents in the hybrid pool', wholeNumberOption(1, 100_000), defaults.poolSize)
    .addOption(
      new Option('--safeguard <how>', 'what a query without a positive in its pool gets')
        .choices(['append', 'replace', 'none'])
        .default(defaults.safeguard),
    )
    .option('--language <code>', "language of the queries, in place of the source's (chooses the analyzer)")
    .option(
      '--lenient',
      'count and drop malformed lines, duplicate ids and unknown ids instead of stopping',
      defaults.lenient,
    )
    .option('--force', 'build again what is current');
  withCommon(command);
  withExamples(command, [
    'tenbin build embedded-en "emoji-f*"',
    'tenbin build --source beir:./scifact --name mine/scifact --language en',
  ]);
  command.action(async (selectors: string[], options: BuildCommandOptions) =>
    onExit(await buildCommand(selectors, options)),
  );
};

async function buildCommand(selectors: readonly string[], options: BuildCommandOptions): Promise<number> {
  const outcomes = await buildTasks(selectors, options);
  if (options.format === 'json') printJson({ tasks: outcomes });
  else printText(outcomeTable(outcomes));
  return outcomes.some(({ status }) => status === 'failed') ? 1 : 0;
}

/** Builds the selected tasks, or the one of --source; a failed one is passed by and named in the outcomes. */
export async function buildTasks(selectors: readonly string[], options: BuildCommandOptions): Promise<BuildOutcome[]> {
  parseSystem(options.dense);
  const tasks = await chosenTasks(selectors, options);
  const progress = startProgress('build', tasks.length, options.quiet);
  const settle = (outcome: BuildOutcome) => {
    if (outcome.status === 'failed') progress.note(`failed  ${outcome.task}: ${outcome.error}`);
    progress.tick(`${outcome.task} ${outcome.status}`);
    return outcome;
  };
  try {
    return await buildBatch(tasks, options, settle);
  } finally {
    progress.stop();
  }
}

async function buildBatch(
  tasks: readonly TaskSpec[],
  options: BuildCommandOptions,
  settle: (outcome: BuildOutcome) => BuildOutcome,
) {
  const { out: root, force } = options;
  const rebuild = force ? 'always' : 'when-stale';
  const outcomes = await runBatch({
    handler: 'build',
    jobs: tasks.map((task) => ({ root, task, options: buildOptions(options), rebuild }) as const),
    threads: options.jobs,
    onEvent: () => undefined,
    onSettled: settle,
    onCrash: ({ task }, error) => ({ task: task.id, status: 'failed', digest: null, error }) as const,
  });
  for (const suite of new Set(tasks.map(({ id }) => id.slice(0, id.indexOf('/'))))) await writeCard(root, suite);
  return outcomes;
}

async function chosenTasks(
  selectors: readonly string[],
  { source, name, out }: BuildCommandOptions,
): Promise<TaskSpec[]> {
  if (source !== undefined || name !== undefined) {
    if (source === undefined || name === undefined || selectors.length > 0) throw ownSourceUsage();
    return [specOfSource(source, name)];
  }
  if (selectors.length === 0) {
    throw new TenbinError('usage', {
      what: 'Nothing to build is named',
      fix: 'Name tasks or suites, for example `tenbin build demo`; `tenbin tasks` lists all.',
    });
  }
  const catalog = await readCatalog(out);
  const chosen = select(catalog, selectors);
  const own = chosen.filter(({ spec }) => spec === null);
  if (own.length > 0) note(`left as they are (built from a source of your own): ${own.map(({ id }) => id).join(', ')}`);
  return chosen.filter(({ spec }) => spec !== null).map(({ id }) => specOf(catalog, id));
}

function specOfSource(spec: string, name: string): TaskSpec {
  const { facts } = bindSource(spec);
  const { language, documentLanguage, domain, licence } = facts;
  const known = { id: taskId(name), source: spec, language, domain, licence };
  return documentLanguage === undefined ? known : { ...known, documentLanguage };
}

function ownSourceUsage(): TenbinError {
  return new TenbinError('usage', {
    what: 'A collection of your own needs both --source and --name, and no selector',
    fix: 'Write `tenbin build --source beir:./scifact --name mine/scifact`.',
  });
}

function buildOptions(options: BuildCommandOptions): BuildOptions {
  const { queries, docs, seed, sampler, depth, dense, rrfK, poolSize, safeguard, lenient } = options;
  const build: BuildOptions = { queries, docs, seed, sampler, depth, dense, rrfK, poolSize, safeguard, lenient };
  return options.language === undefined ? build : { ...build, language: options.language };
}

function outcomeTable(outcomes: readonly BuildOutcome[]): string {
  const rows = outcomes.map(({ task, status, digest, error }) => [
    task,
    status,
    digest?.slice(0, 12) ?? '',
    error ?? '',
  ]);
  return textTable(['task', 'status', 'digest', 'error'], rows);
}
