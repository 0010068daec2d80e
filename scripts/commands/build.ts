import type { Command } from 'commander';
import { Option } from 'commander';
import type { BuildOutcome } from '../../builders/build.js';
import { writeCard } from '../../builders/card.js';
import type { TaskToBuild } from '../../builders/identity.js';
import {
  type BuildOptions,
  checkOptions,
  defaultBuildOptions,
  optionRanges,
  safeguardPolicies,
} from '../../builders/options.js';
import { samplers } from '../../builders/samplers/index.js';
import { reasonOf, TenbinError } from '../../core/errors.js';
import { splitTaskId, type TaskId, taskId } from '../../core/ids.js';
import type { Lookup } from '../../runners/backends/resolve/index.js';
import { bindSource } from '../../tasks/sources/index.js';
import { taskGroups, taskSpecs } from '../../tasks/specs/index.js';
import { readCatalog, select, specOf } from '../catalog.js';
import { lookUp } from '../look-up.js';
import { type ModelOptions, runtimeSettings, withModelOptions } from '../model-options.js';
import { type CommonOptions, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import { startProgress } from '../progress.js';
import { runBatch } from '../workers.js';
import type { RegisterCommand } from './command.js';

export interface BuildCommandOptions extends CommonOptions, Omit<BuildOptions, 'leniency' | 'language'>, ModelOptions {
  readonly source?: string;
  readonly name?: string;
  readonly language?: string;
  readonly lenient?: boolean;
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
    .option('--queries <n>', 'queries at most', wholeNumberOption(...optionRanges.queries), defaults.queries)
    .option(
      '--docs <n>',
      'documents at most (positives are never dropped)',
      wholeNumberOption(...optionRanges.docs),
      defaults.docs,
    )
    .option('--seed <n>', 'key of the choice', wholeNumberOption(...optionRanges.seed), defaults.seed)
    .addOption(
      new Option(
        '--sampler <name>',
        `how queries and documents are chosen: ${samplers.plugins.map(({ name }) => name).join(', ')}`,
      ).default(defaults.sampler),
    )
    .option(
      '--depth <n>',
      'documents in the bm25 and dense pools',
      wholeNumberOption(...optionRanges.depth),
      defaults.depth,
    )
    .option('--dense <system>', 'dense system of the dense pool', defaults.dense)
    .option('--rrf-k <n>', 'k of reciprocal rank fusion', wholeNumberOption(...optionRanges.rrfK), defaults.rrfK)
    .option(
      '--pool-size <n>',
      'documents in the hybrid pool',
      wholeNumberOption(...optionRanges.poolSize),
      defaults.poolSize,
    )
    .addOption(
      new Option('--safeguard <how>', 'what a query without a positive in its pool gets')
        .choices(safeguardPolicies)
        .default(defaults.safeguard),
    )
    .option('--language <code>', "language of the queries, in place of the source's (chooses the analyzer)")
    .option('--lenient', 'count and drop malformed lines, duplicate ids and unknown ids instead of stopping')
    .option('--force', 'build again what is current');
  withModelOptions(command);
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
  const { lookup, catalog, failures } = await lookUp([options.dense], runtimeSettings(options), options.quiet);
  for (const [model, reason] of failures) throw unusable(model, reason);
  checkOptions(buildOptions(options), catalog);
  const tasks = await chosenTasks(selectors, options);
  const progress = startProgress('build', tasks.length, options.quiet);
  const settle = (outcome: BuildOutcome) => {
    if (outcome.status === 'failed') progress.note(`failed  ${outcome.task}: ${outcome.error}`);
    progress.tick(`${outcome.task} ${outcome.status}`);
  };
  try {
    return await buildBatch({ tasks, options, lookup }, settle);
  } finally {
    progress.stop();
  }
}

interface BuildBatch {
  readonly tasks: readonly TaskToBuild[];
  readonly options: BuildCommandOptions;
  readonly lookup: Lookup;
}

async function buildBatch({ tasks, options, lookup }: BuildBatch, settle: (outcome: BuildOutcome) => void) {
  const { out: root, force = false } = options;
  const models = { settings: runtimeSettings(options), lookup };
  const outcomes = await runBatch({
    handler: 'build',
    jobs: tasks.map((task) => ({ root, task, options: buildOptions(options), force, models })),
    threads: options.jobs,
    onEvent: () => undefined,
    onSettled: settle,
    onCrash: ({ task }, error) => ({ task: task.id, status: 'failed', error }),
  });
  await writeCards(root, tasks);
  return outcomes;
}

/** The tasks stand by themselves: a card that cannot be written is said, and takes none of them with it. */
async function writeCards(root: string, tasks: readonly TaskToBuild[]): Promise<void> {
  for (const suite of new Set(tasks.map(({ id }) => id.slice(0, id.indexOf('/'))))) {
    await writeCard(root, suite).catch((error: unknown) => {
      process.exitCode = 1;
      note(`the dataset card of ${suite} could not be written: ${reasonOf(error)}`);
    });
  }
}

async function chosenTasks(
  selectors: readonly string[],
  { source, name, out, quiet }: BuildCommandOptions,
): Promise<TaskToBuild[]> {
  if (source !== undefined || name !== undefined) {
    if (source === undefined || name === undefined || selectors.length > 0) throw ownSourceUsage();
    checkName(taskId(name));
    checkSpec(source);
    return [{ id: taskId(name), source }];
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
  if (own.length > 0 && !quiet)
    note(`left as they are (built from a source of your own): ${own.map(({ id }) => id).join(', ')}`);
  return chosen.filter(({ spec }) => spec !== null).map(({ id }) => specOf(catalog, id));
}

/** A name of ours would put a collection of the user's in the place of a shipped task. */
function checkName(id: TaskId): void {
  const { suite } = splitTaskId(id);
  if (!taskSpecs.some((spec) => spec.id === id) && !taskGroups.has(suite)) return;
  throw new TenbinError('usage', {
    what: 'This name belongs to a task or group that ships with tenbin',
    value: id,
    fix: 'Choose another, for example `mine/support-faq`.',
  });
}

/** A wrong spelling ends the command; a folder that is not there is the outcome of its task. */
function checkSpec(spec: string): void {
  try {
    bindSource(spec);
  } catch (error) {
    if (error instanceof TenbinError && (error.code === 'usage' || error.code === 'unknown-name')) throw error;
  }
}

function unusable(model: string, reason: string): TenbinError {
  return new TenbinError('missing', { what: 'The model of --dense cannot be used', value: model, fix: reason });
}

function ownSourceUsage(): TenbinError {
  return new TenbinError('usage', {
    what: 'A collection of your own needs both --source and --name, and no selector',
    fix: 'Write `tenbin build --source beir:./scifact --name mine/scifact`.',
  });
}

function buildOptions({ lenient, language, ...options }: BuildCommandOptions): BuildOptions {
  const { queries, docs, seed, sampler, depth, dense, rrfK, poolSize, safeguard } = options;
  const leniency = lenient ? 'lenient' : 'strict';
  return {
    queries,
    docs,
    seed,
    sampler,
    depth,
    dense,
    rrfK,
    poolSize,
    safeguard,
    language: language ?? null,
    leniency,
  };
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
