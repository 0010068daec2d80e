import type { Command } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { printable, reasonOf, TenbinError } from '../../core/errors.js';
import { groupBy } from '../../core/group.js';
import { candidateMeasures } from '../../results/candidates/measures.js';
import { meanOverTasks, type StageValues } from '../../results/candidates.js';
import { modelNames } from '../../runners/backends/resolve/index.js';
import { parseSystem, splitSystems } from '../../runners/grammar.js';
import { type ModelCatalog, namingCatalog } from '../../runners/models/catalog.js';
import { type CandidateTask, candidateTask, type SystemReport } from '../candidate-tasks.js';
import { selectBuilt } from '../catalog.js';
import { type CommonOptions, repeated, withCommon, withExamples } from '../options.js';
import { note, printJson, printText } from '../output.js';
import { factsTable, stageColumns, stageRecords, stageTable } from '../stage-tables.js';
import type { RegisterCommand } from './command.js';

interface CandidatesOptions extends CommonOptions {
  readonly pool: string;
  readonly systems?: readonly string[];
  readonly measure?: readonly string[];
}

export const registerCandidates: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('candidates')
    .description(
      'What candidates hold, and what rerankers made of them: coverage, oracle, headroom and the share of it that was captured.',
    )
    .argument('[selector...]', 'tasks, suites, globs, language:xx, domain:xx, !selector (default: all built tasks)')
    .option('--pool <name>', 'the frozen pool to look at: bm25, dense or hybrid', 'hybrid')
    .option(
      '--systems <list>',
      'pipelines, separated by a comma and a blank; repeatable (default: all that have runs)',
      repeated,
    )
    .option(
      '-m, --measure <name>',
      'a measure; repeatable (default: nDCG@10), the recall of its depth beside',
      repeated,
    );
  withCommon(command, ['csv']);
  withExamples(command, [
    'tenbin candidates embedded-code --systems "hybrid > lsa@256@100"',
    'tenbin candidates --pool bm25 -m nDCG@10 -m RR@10 --format json',
  ]);
  command.action(async (selectors: string[], options: CandidatesOptions) =>
    onExit(await candidatesCommand(selectors, options)),
  );
};

async function candidatesCommand(selectors: readonly string[], options: CandidatesOptions): Promise<number> {
  const { out: root, pool, quiet } = options;
  const { catalog } = namingCatalog(modelNames({ environment: process.env }));
  const systems = options.systems?.flatMap(splitSystems).map((text) => pipelineId(text, catalog)) ?? null;
  const measures = candidateMeasures(options.measure);
  const { built, unbuilt } = await selectBuilt(root, selectors);
  if (built.length === 0) throw nothingBuilt(unbuilt[0]?.reason);
  const tasks: CandidateTask[] = [];
  const problems = unbuilt.filter(({ damaged }) => damaged).map(({ id, reason }) => `left out  ${id}: ${reason}`);
  for (const manifest of built) {
    const made = await candidateTask({ root, pool, systems, measures, catalog }, manifest).catch(reasonOf);
    if (typeof made === 'string') problems.push(`left out  ${manifest.suite}/${manifest.task}: ${made}`);
    else tasks.push(made);
  }
  const leftOut = tasks.flatMap((one) => one.leftOut);
  if (!quiet) for (const { text, isProblem } of leftOut) if (!isProblem) note(`left out  ${text}`);
  problems.push(...leftOut.filter(({ isProblem }) => isProblem).map(({ text }) => `left out  ${text}`));
  const changes = tasks.flatMap(changesIn);
  for (const line of [...problems, ...changes]) note(printable(line));
  print({ tasks, means: meansOf(tasks) }, options);
  return problems.length + changes.length > 0 ? 1 : 0;
}

function pipelineId(text: string, catalog: ModelCatalog): string {
  const system = parseSystem(text, catalog);
  if (system.kind === 'pipeline') return system.id;
  throw new TenbinError('usage', {
    what: 'Only a pipeline has candidates',
    value: text,
    fix: `Write it behind a first stage: \`hybrid > ${text}@100\`.`,
  });
}

/** Reranking orders candidates: whatever else it did is an error, and the values beside it mean nothing. */
function changesIn({ task, systems }: CandidateTask): string[] {
  return systems.flatMap(({ system, check: { outside, lost, missingQueries, candidateRecall } }) => {
    const { measure, changedQueries } = candidateRecall;
    const docs = [
      ...(outside.count > 0 ? [`${outside.count} documents that are no candidates${first(outside.examples)}`] : []),
      ...(lost.count > 0 ? [`${lost.count} candidates are lost${first(lost.examples)}`] : []),
    ];
    const queries = [
      ...(missingQueries.length > 0
        ? [`${missingQueries.length} queries without a ranking: ${missingQueries[0]}`]
        : []),
      ...(changedQueries.length > 0 ? [`${measure} differs, as for query ${changedQueries[0]}`] : []),
    ];
    return [...docs, ...queries].map((what) => `error  ${task}  ${system}: ${what}`);
  });
}

function first([example]: SystemReport['check']['outside']['examples']): string {
  return example === undefined ? '' : `, as ${example.doc} of query ${example.query}`;
}

interface Mean {
  readonly system: string;
  readonly tasks: number;
  readonly values: readonly StageValues[];
}

function meansOf(tasks: readonly CandidateTask[]): Mean[] {
  const groups = groupBy(
    tasks.flatMap(({ systems }) => systems),
    ({ system }) => system,
  );
  return [...groups].map(([system, reports]) => {
    return { system, tasks: reports.length, values: meanOverTasks(reports.map(({ values }) => values)) };
  });
}

interface Shown {
  readonly tasks: readonly CandidateTask[];
  readonly means: readonly Mean[];
}

function print(shown: Shown, { format, pool }: CandidatesOptions): void {
  if (format === 'json') printJson(jsonOf(shown, pool));
  else printText(format === 'csv' ? csvOf(shown) : textOf(shown, pool));
}

function jsonOf({ tasks, means }: Shown, pool: string) {
  const leftOut = tasks.flatMap((one) => one.leftOut.map(({ text }) => text));
  return { pool, tasks: tasks.map(({ leftOut: _, ...task }) => task), mean: means, leftOut };
}

function textOf({ tasks, means }: Shown, name: string): string {
  const pools = tasks.flatMap(({ task, pool }) => (pool === null ? [] : [{ head: [task], pool }]));
  const staged = means.map(({ system, tasks: count, values }) => ({ head: [system, count], values }));
  return [`${name} pool`, factsTable(['task'], pools), ...tableOf(staged)].join('\n\n');
}

function tableOf(staged: Parameters<typeof stageTable>[1]): string[] {
  if (staged.length === 0)
    return ['No pipeline has a run on these tasks: `tenbin run --systems "hybrid > lsa@256@100"`.'];
  return [stageTable(['system', 'tasks'], staged)];
}

function csvOf({ tasks, means }: Shown): string {
  const ofTasks = tasks.flatMap(({ task, systems }) =>
    systems.map(({ system, values }) => ({ head: [system, task], values })),
  );
  const ofMeans = means.map(({ system, values }) => ({ head: [system, 'mean'], values }));
  return stringify([['system', 'task', ...stageColumns], ...stageRecords([...ofTasks, ...ofMeans])], {
    cast: { number: String },
    escape_formulas: true,
    quoted_match: /[\r\n]/,
  });
}

function nothingBuilt(reason: string | undefined): TenbinError {
  return new TenbinError('missing', { what: 'No task is built', fix: reason ?? 'Run `tenbin build demo` first.' });
}
