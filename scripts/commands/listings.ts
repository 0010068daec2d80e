import type { Command } from 'commander';
import { measureKinds } from '../../results/measures/index.js';
import { measureWrappers } from '../../results/measures/wrappers/index.js';
import { analyzers } from '../../runners/analyzers/index.js';
import { defaultSystems } from '../../runners/default-systems.js';
import { familyOf, parseSystem, type System } from '../../runners/grammar.js';
import { namingCatalog } from '../../runners/models/catalog.js';
import { models } from '../../runners/models/index.js';
import { poolSystems } from '../../runners/pool-systems.js';
import { variants } from '../../runners/variants/index.js';
import { sources } from '../../tasks/sources/index.js';
import { readCatalog, select } from '../catalog.js';
import { type ModelRow, modelRows, serviceLines } from '../model-rows.js';
import { narrowModels } from '../narrow-models.js';
import { type CommonOptions, withCommon, withExamples } from '../options.js';
import { printJson, printText, tableWidth, textTable } from '../output.js';
import type { RegisterCommand } from './command.js';

type Row = Readonly<Record<string, unknown>>;

interface Listing {
  readonly name: string;
  readonly description: string;
  readonly operand?: string;
  readonly example: string;
  /** Columns of the table, in order; JSON has every field. */
  readonly columns: readonly string[];
  readonly rows: (
    options: CommonOptions,
    operands: readonly string[],
  ) => Promise<readonly object[]> | readonly object[];
  /** Stands for the table on a terminal of that many columns, if the table is wider. */
  readonly narrow?: (rows: readonly object[], columns: number) => string;
  /** Lines after the table, for people. */
  readonly below?: () => readonly string[];
}

const listings: readonly Listing[] = [
  {
    name: 'tasks',
    description: 'Tasks that ship with tenbin and those built here.',
    operand: '[selector...]',
    example: 'tenbin tasks language:ja',
    columns: ['id', 'language', 'domain', 'licence', 'source', 'built'],
    rows: listTasks,
  },
  {
    name: 'systems',
    description: 'Systems that a plain `tenbin run` runs, and the models, variants and pools to make others from.',
    example: 'tenbin systems --format json',
    columns: ['id', 'family', 'summary'],
    rows: listSystems,
  },
  {
    name: 'models',
    description: 'Models with a card, and the folders below TENBIN_MODELS: what they are and what they need.',
    example: 'tenbin models --format json',
    columns: ['id', 'family', 'verified', 'needs', 'licence', 'summary'],
    rows: () => modelRows(),
    narrow: (rows, columns) => narrowModels(rows as readonly ModelRow[], columns),
    below: serviceLines,
  },
  {
    name: 'measures',
    description: 'Measures, in the spelling of ir_measures.',
    example: 'tenbin measures --format json',
    columns: ['name', 'range', 'summary'],
    rows: listMeasures,
  },
  {
    name: 'sources',
    description: 'Where collections come from.',
    example: 'tenbin sources --format json',
    columns: ['form', 'summary', 'needs'],
    rows: listSources,
  },
  {
    name: 'analyzers',
    description: 'How texts are split into terms.',
    example: 'tenbin analyzers --format json',
    columns: ['name', 'summary'],
    rows: () => analyzers.plugins.map(({ name, summary }) => ({ name, summary })),
  },
];

export const registerListings: RegisterCommand = (program, onExit) => {
  for (const listing of listings) {
    const command: Command = program.command(listing.name).description(listing.description);
    if (listing.operand !== undefined) command.argument(listing.operand);
    withCommon(command);
    withExamples(command, [`tenbin ${listing.name}`, listing.example]);
    command.action(async (...given: unknown[]) => {
      const operands = listing.operand === undefined ? [] : (given[0] as string[]);
      const options = given.at(listing.operand === undefined ? 0 : 1) as CommonOptions;
      print(listing, await listing.rows(options, operands), options);
      onExit(0);
    });
  }
};

function print(listing: Listing, rows: readonly object[], { format }: CommonOptions): void {
  if (format === 'json') printJson(rows);
  else printText(textOf(listing, rows));
}

function textOf({ columns, narrow, below }: Listing, rows: readonly object[]): string {
  const cells = rows.map((row) => columns.map((column) => cell((row as Row)[column])));
  // In a pipe the terminal has no width, and a row stays a line.
  const { columns: terminal = Number.POSITIVE_INFINITY } = process.stdout;
  const isNarrow = narrow !== undefined && tableWidth([columns, ...cells]) > terminal;
  const listed = isNarrow ? narrow(rows, terminal) : textTable(columns, cells);
  return [listed, ...(below?.() ?? [])].join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

async function listTasks({ out }: CommonOptions, selectors: readonly string[]): Promise<Row[]> {
  const entries = select(await readCatalog(out), selectors);
  return entries.map(({ id, suite, language, domain, licence, source, manifest }) => {
    const row = { id, suite, language, domain, licence, source, built: manifest !== null };
    return manifest === null ? row : { ...row, counts: manifest.counts.kept, digest: manifest.digest };
  });
}

/** Measures of measures take one in parentheses. */
function listMeasures(): Row[] {
  const kinds = measureKinds.map(({ name, aliases, summary, range, source, cutoff, settings }) => ({
    name,
    summary,
    range,
    source,
    aliases,
    cutoff,
    settings,
  }));
  const wrappers = measureWrappers.map(({ name, summary, range, source }) => ({
    name: `${name}(…)`,
    summary,
    range,
    source,
    aliases: [],
    cutoff: 'none',
    settings: [],
  }));
  return [...kinds, ...wrappers];
}

/** `needs`: the packages that are missing, with the command that installs them. */
function listSources(): Row[] {
  return sources.plugins.map((plugin) => {
    const missing = plugin.needs().filter(({ installed }) => installed === null);
    const packages = missing.map(({ name, version }) => `${name}@${version}`).join(' ');
    const needs = missing.length === 0 ? null : `npm install --save-dev ${packages}`;
    return { name: plugin.name, form: plugin.form, summary: plugin.summary, needs, members: plugin.members() };
  });
}

function listSystems(): Row[] {
  const { catalog } = namingCatalog();
  const named = defaultSystems.map((text) => parseSystem(text, catalog));
  const defaults = named.map((system) => systemRow(system, 'default'));
  const parts = [
    ...models.plugins.map(({ name, summary }) => ({
      id: name,
      family: models.bind(name).family,
      summary,
      needs: null,
      role: 'model',
    })),
    ...poolSystems.map(({ id, summary }) => ({
      id,
      family: familyOf(parseSystem(id)),
      summary,
      needs: null,
      role: 'pool',
    })),
    ...variants.plugins.map(({ name, summary }) => ({
      id: `+${name}`,
      family: null,
      summary,
      needs: null,
      role: 'variant',
    })),
  ];
  const ids = new Set(defaults.map(({ id }) => id));
  return [...defaults, ...parts.filter(({ id }) => !ids.has(id))];
}

function systemRow(system: System, role: string) {
  return { id: system.id, family: familyOf(system), summary: summaryOf(system), needs: null, role };
}

function summaryOf(system: System): string {
  switch (system.kind) {
    case 'model':
      return [system.model.summary, ...system.variants.map(({ id }) => id)].join('; ');
    case 'pool':
      return poolSystems.find(({ id }) => id === system.id)?.summary ?? system.pool;
    case 'fusion':
      return `reciprocal rank fusion (k = ${system.rrfK}) of ${system.parts.map(({ id }) => id).join(' and ')}`;
    case 'pipeline':
      return `the best ${system.depth} of ${system.first.id}, reordered by ${system.second.id}`;
  }
}
