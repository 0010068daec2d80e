import type { Command } from 'commander';
import { TenbinError } from '../../core/errors.js';
import { groupBy } from '../../core/group.js';
import { defaultSystems } from '../../runners/default-systems.js';
import { modelsOf, parseSystem, type System, splitSystems } from '../../runners/grammar.js';
import { type PlannedRun, planRuns } from '../../runners/plan.js';
import { defaultRunOptions } from '../../runners/run.js';
import type { RunOutcome } from '../../runners/run-task.js';
import { pruneGrid } from '../../runners/variants/prune.js';
import type { Manifest } from '../../tasks/types.js';
import { selectBuilt, type Unbuilt } from '../catalog.js';
import { fetchModels, type LookedUp, lookUp } from '../look-up.js';
import { thisMachine } from '../machine.js';
import { type ModelOptions, runtimeSettings, withModelOptions } from '../model-options.js';
import { type CommonOptions, repeated, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import { startProgress } from '../progress.js';
import type { RunJob } from '../worker.js';
import { runBatch } from '../workers.js';
import type { RegisterCommand } from './command.js';

export interface RunCommandOptions extends CommonOptions, ModelOptions {
  readonly systems?: readonly string[];
  readonly tasks?: readonly string[];
  readonly depth: number;
  readonly seed: number;
  readonly force?: boolean;
  readonly pruneGrid?: boolean;
}

export const registerRun: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('run')
    .description('Run systems over built tasks; what is done already is not done again.')
    .option(
      '--systems <list>',
      'systems, separated by a comma and a blank; repeatable (default: every built-in one)',
      repeated,
    )
    .option(
      '--tasks <selector...>',
      'tasks, suites, globs, language:xx, domain:xx, !selector (default: all built tasks)',
    )
    .option(
      '--depth <n>',
      'documents for each query; all tied with the last are kept',
      wholeNumberOption(1, 100_000),
      defaultRunOptions.depth,
    )
    .option(
      '--seed <n>',
      'seed of models that draw random numbers',
      wholeNumberOption(0, 2 ** 32 - 1),
      defaultRunOptions.seed,
    )
    .option('--prune-grid', 'besides each learned-sparse system its 16 prunings: query 8 to 32, document 64 to 512')
    .option('--force', 'run again what is current');
  withModelOptions(command);
  withCommon(command);
  withExamples(command, [
    'tenbin run --systems "bm25, lsa@256" --tasks embedded-en',
    'tenbin run --tasks demo --format json',
  ]);
  command.action(async (options: RunCommandOptions) => onExit(await runCommand(options)));
};

async function runCommand(options: RunCommandOptions): Promise<number> {
  const outcomes = await runSystems(options);
  if (options.format === 'json') printJson({ runs: outcomes });
  else printText(summaryTable(outcomes));
  return outcomes.some(({ status }) => status === 'failed') ? 1 : 0;
}

/** Plans, prints the plan, runs what is not current, and returns the outcome of every planned run in its order. */
export async function runSystems(options: RunCommandOptions): Promise<RunOutcome[]> {
  const { out: root, quiet, depth, seed } = options;
  const texts = options.systems?.flatMap(splitSystems) ?? defaultSystems;
  const models = await lookUp(texts, runtimeSettings(options), quiet);
  const systems = systemsOf(texts, models, options.pruneGrid === true ? 'grid' : 'as-named');
  if (systems.length === 0) throw noSystems();
  const { built, unbuilt } = await selectBuilt(root, options.tasks ?? []);
  if (built.length + unbuilt.length === 0) throw nothingBuilt(root);
  const plan = await planRuns({ root, manifests: built, systems, options: { depth, seed } });
  const todo = options.force ? plan : plan.filter(({ state }) => state !== 'current');
  if (!quiet) note(planText(plan, built.length, systems.length));
  await fetchModels(models, modelTexts(systems, todo), quiet);
  const outcomes = await runJobs(options, spread(todo, built), models);
  const byPath = new Map(outcomes.map((outcome) => [outcome.path, outcome]));
  const done = plan.map((run) => byPath.get(run.path) ?? current(run));
  return [...done, ...unbuilt.flatMap((task) => systems.map((system) => notBuilt(task, system.id)))];
}

/** Each once, in the order named; with the grid, learned-sparse models are followed by their prunings. */
function systemsOf(texts: readonly string[], { catalog }: LookedUp, mode: 'as-named' | 'grid'): readonly System[] {
  const named = texts.map((text) => parseSystem(text, catalog));
  const all = named.flatMap((system) => {
    const isSparse = system.kind === 'model' && system.model.family === 'sparse' && system.variants.length === 0;
    const prunings = mode === 'grid' && isSparse ? pruneGrid : [];
    return [system, ...prunings.map((pruning) => parseSystem(`${system.id}+${pruning}`, catalog))];
  });
  return [...new Map(all.map((system) => [system.id, system])).values()];
}

/** Texts of the models that runs still to be made need. */
function modelTexts(systems: readonly System[], todo: readonly PlannedRun[]): ReadonlySet<string> {
  const needed = new Set(todo.map(({ system }) => system));
  return new Set(systems.filter(({ id }) => needed.has(id)).flatMap((system) => modelsOf(system).map(({ id }) => id)));
}

/**
 * Tasks that share their documents (one corpus in several languages of queries) come after the first of them, whose
 * encodings they find in the cache; started together, two threads would encode the same texts.
 */
function spread(todo: readonly PlannedRun[], manifests: readonly Manifest[]): readonly PlannedRun[] {
  const corpora = new Map(
    manifests.map(({ suite, task, files }) => [`${suite}/${task}`, files[`corpus/${task}.parquet`]]),
  );
  const first = new Map<string | undefined, string>();
  for (const { task } of todo) if (!first.has(corpora.get(task))) first.set(corpora.get(task), task);
  const isFirst = ({ task }: PlannedRun) => first.get(corpora.get(task)) === task;
  return [...todo.filter(isFirst), ...todo.filter((run) => !isFirst(run))];
}

async function runJobs(
  options: RunCommandOptions,
  todo: readonly PlannedRun[],
  { lookup }: LookedUp,
): Promise<RunOutcome[]> {
  const { out: root, quiet, depth, seed } = options;
  const machine = thisMachine();
  const progress = startProgress('run', todo.length, quiet);
  const models = { settings: runtimeSettings(options), lookup };
  const jobs: RunJob[] = [...groupBy(todo, ({ task }) => task)].map(([task, runs]) => ({
    root,
    task,
    runs,
    options: { depth, seed },
    machine,
    models,
  }));
  try {
    const results = await runBatch({
      handler: 'run',
      jobs,
      threads: options.jobs,
      onEvent: (event) => {
        if (isStep(event)) return progress.work(event.done);
        if (isNote(event)) return progress.note(event.note);
        const { task, system, status, reason } = event as RunOutcome;
        if (status === 'failed' || status === 'refused') progress.note(`${status}  ${task}  ${system}: ${reason}`);
        progress.tick(`${task} ${system}`);
      },
      onCrash: (job, reason) =>
        job.runs.map(({ task, system, path }) => ({ task, system, status: 'failed', reason, path })),
    });
    return results.flat();
  } finally {
    progress.stop();
  }
}

/** Texts or pairs that a model has done, as against the outcome of a run. */
function isStep(event: unknown): event is { readonly done: number } {
  return typeof event === 'object' && event !== null && 'done' in event;
}

function isNote(event: unknown): event is { readonly note: string } {
  return typeof event === 'object' && event !== null && 'note' in event;
}

function planText(plan: readonly PlannedRun[], tasks: number, systems: number): string {
  const count = (state: PlannedRun['state']) => plan.filter((run) => run.state === state).length;
  return `plan: ${tasks} tasks × ${systems} systems: ${count('current')} current, ${count('stale')} stale, ${count('missing')} missing`;
}

function summaryTable(outcomes: readonly RunOutcome[]): string {
  const rows = [...groupBy(outcomes, ({ system }) => system)].map(([system, runs]) => {
    const count = (status: RunOutcome['status']) => runs.filter((run) => run.status === status).length;
    return [system, count('complete'), count('current'), count('refused'), count('failed')];
  });
  const failures = groupBy(
    outcomes.filter(({ status }) => status === 'failed'),
    ({ task, reason }) => `${task}: ${reason}`,
  );
  const reasons = [...failures].map(
    ([what, runs]) => `failed  ${what} (${runs.length === 1 ? runs[0]?.system : `${runs.length} systems`})`,
  );
  return [textTable(['system', 'complete', 'current', 'refused', 'failed'], rows), ...reasons].join('\n');
}

function current({ task, system, path }: PlannedRun): RunOutcome {
  return { task, system, status: 'current', path };
}

function notBuilt({ id, reason }: Unbuilt, system: string): RunOutcome {
  return { task: id, system, status: 'failed', reason, path: '' };
}

function noSystems(): TenbinError {
  return new TenbinError('usage', {
    what: 'No system is named',
    fix: 'Leave --systems out, or write for example `--systems "bm25, lsa@256"`.',
  });
}

function nothingBuilt(root: string): TenbinError {
  return new TenbinError('missing', {
    what: 'No task is built below this folder',
    value: root,
    fix: 'Run `tenbin build demo` first, or choose another --out.',
  });
}
