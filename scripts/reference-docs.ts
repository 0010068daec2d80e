import type { Command } from 'commander';
import { samplers } from '../builders/samplers/index.js';
import { groupBy } from '../core/group.js';
import { exportFormats } from '../results/exports/index.js';
import { measureKinds } from '../results/measures/index.js';
import { measureWrappers } from '../results/measures/wrappers/index.js';
import { reports } from '../results/reports/index.js';
import { analyzers } from '../runners/analyzers/index.js';
import { defaultSystems } from '../runners/default-systems.js';
import type { ModelCard } from '../runners/models/card.js';
import { embeddedCards, hubCards } from '../runners/models/cards/index.js';
import { models } from '../runners/models/index.js';
import { poolSystems } from '../runners/pool-systems.js';
import { variants } from '../runners/variants/index.js';
import { sources } from '../tasks/sources/index.js';
import { taskGroups, taskSpecs } from '../tasks/specs/index.js';
import { createProgram } from './cli.js';

type Row = readonly string[];

/** `docs/reference.md`, made from the registries and the command line itself; `npm run check` compares it. */
export async function referenceDocs(): Promise<string> {
  const { commands } = await createProgram(() => undefined);
  const sections = [
    '# Reference',
    'Made by `npm run docs` from the registries and the command line; do not edit by hand.',
    ...pluginSections(),
    '## Commands',
    ...commands.map(commandSection),
  ];
  return `${sections.join('\n\n')}\n`;
}

function pluginSections(): string[] {
  const named = (plugins: readonly { readonly name: string; readonly summary: string }[]): Row[] =>
    plugins.map(({ name, summary }) => [`\`${name}\``, summary]);
  return [
    section(
      'Systems that a plain `tenbin run` runs',
      ['system'],
      defaultSystems.map((id) => [`\`${id}\``]),
    ),
    section('Models without weights', ['model', 'what it is'], named(models.plugins)),
    section(
      'Models with a card',
      ['model', 'family', 'from', 'licence', 'what it is'],
      [...embeddedCards, ...hubCards].map(cardRow),
    ),
    section('Variants', ['variant', 'what it does'], named(variants.plugins)),
    section(
      'Frozen pools as systems',
      ['system', 'what it is'],
      poolSystems.map(({ id, summary }) => [`\`${id}\``, summary]),
    ),
    section('Analyzers', ['analyzer', 'how it splits texts'], named(analyzers.plugins)),
    section(
      'Measures',
      ['measure', 'range', 'what it is', 'source'],
      [...measureKinds, ...measureWrappers.map((each) => ({ ...each, name: `${each.name}(…)` }))].map(
        ({ name, range, summary, source }) => [`\`${name}\``, range, summary, source],
      ),
    ),
    section('Sources', ['source', 'what it gives'], named(sources.plugins)),
    section('Samplers', ['sampler', 'how it chooses'], named(samplers.plugins)),
    section('Reports', ['report', 'what it is'], named(reports.plugins)),
    section('Exports', ['export', 'what it is'], named(exportFormats.plugins)),
    section('Suites', ['suite', 'tasks'], suiteRows()),
  ];
}

function cardRow({ id, family, origin, licence, summary }: ModelCard): Row {
  const from = origin.kind === 'hub' ? origin.repo : 'comes with tenbin';
  return [`\`${id}\``, family, from, licence, summary];
}

function suiteRows(): Row[] {
  const suites = [...groupBy(taskSpecs, ({ id }) => id.slice(0, id.indexOf('/')))].map(
    ([suite, tasks]): Row => [`\`${suite}\``, String(tasks.length)],
  );
  return [...suites, ...[...taskGroups].map(([name, ids]): Row => [`\`${name}\` (a group)`, String(ids.length)])];
}

function section(title: string, head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [`## ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Help as it is printed, 100 columns wide, whatever the terminal and the machine: the default of --jobs is its cores. */
function commandSection(command: Command): string {
  command.configureHelp({ helpWidth: 100 }).configureOutput({ getOutHelpWidth: () => 100 });
  let after = '';
  command.configureOutput({
    writeOut: (text) => {
      after += text;
    },
  });
  command.outputHelp();
  const help = after.replace(/(tasks worked on at once[^(]*\(default:)\s*\d+\)/, '$1 cores)');
  return `### tenbin ${command.name()}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\``;
}
