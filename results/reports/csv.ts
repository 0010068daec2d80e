import { stringify } from 'csv-stringify/sync';
import { noArgument, type Plugin } from '../../core/registry.js';
import type { Board, BoardSystem, ByMeasure } from '../board-types.js';
import type { Report } from './report.js';

/**
 * One row per system × scope × measure:
 *
 * | column | holds |
 * |---|---|
 * | `system`, `family` | as on the board; a text that begins like a formula has a `'` before it |
 * | `complete` | `true`, or `false` for a system that lacks a task |
 * | `rank` | of the system, by the micro mean of the primary measure; empty where it has none |
 * | `scope`, `name` | `micro`, `macro`, `suite` and its name, `task` and its id, `cost` and its key |
 * | `measure` | empty for costs, but for quality per PetaFLOP |
 * | `value`, `low`, `high` | the mean with its 95 % interval; empty where undefined |
 * | `min`, `max` | the bounds over all orders inside ties |
 * | `n` | what the mean is over: tasks, suites, tasks, queries; empty where an imported file does not say |
 * | `imported` | the format that the system was read from; empty for ours |
 */
const columns = [
  ...['system', 'family', 'complete', 'rank', 'scope', 'name', 'measure'],
  ...['value', 'low', 'high', 'min', 'max', 'n', 'imported'],
] as const;

type Field = string | number | boolean | null;

export const csv: Plugin<Report> = {
  name: 'csv',
  summary: 'One row per system, scope (micro, macro, suite, task, cost) and measure, for spreadsheets and data frames.',
  bind: (argument) => {
    noArgument('csv', argument);
    return { fileName: 'board.csv', render };
  },
};

function render(board: Board): string {
  const rows = board.systems.flatMap((system) => [...scores(system), ...costs(system)]);
  return stringify([columns, ...rows], {
    cast: { boolean: String, number: String },
    // Excel, LibreOffice and Google Sheets run a cell that begins with = + - @ or a tab (OWASP, "CSV injection").
    escape_formulas: true,
    // Without it a lone carriage return in an id would end the row for some readers.
    quoted_match: /[\r\n]/,
  });
}

function scores(system: BoardSystem): Field[][] {
  return [
    ...rowsOf(system, ['micro', ''], system.micro),
    ...rowsOf(system, ['macro', ''], system.macro),
    ...Object.entries(system.suites).flatMap(([name, values]) => rowsOf(system, ['suite', name], values)),
    ...Object.entries(system.tasks).flatMap(([name, values]) => rowsOf(system, ['task', name], values)),
  ];
}

function rowsOf(system: BoardSystem, scope: readonly [string, string], values: ByMeasure): Field[][] {
  return Object.entries(values).map(([measure, { value, low, high, min, max, n }]) => [
    ...heading(system),
    ...scope,
    ...[measure, value, low, high, min, max, n, formatOf(system)],
  ]);
}

function costs(system: BoardSystem): Field[][] {
  const { flopsByStage, flops, opsPerQuery, latencyMs, RPP, QPP, ...plain } = system.cost;
  const figures: readonly [string, number | null][] = Object.entries({
    ...plain,
    ...prefixed('flops.', flopsByStage),
    ...prefixed('flops.', flops),
    ...opsPerQuery,
    ...{ p50Ms: latencyMs.p50, p95Ms: latencyMs.p95 },
    ...prefixed('QPP.', QPP),
  });
  const ratios = Object.entries(RPP).flatMap(([measure, ratio]) =>
    Object.entries(prefixed('RPP.', ratio)).map(([name, value]) => [name, measure, value] as const),
  );
  const blank = [null, null, null, null, null];
  const row = (name: string, measure: string, value: number | null) => [
    ...heading(system),
    ...['cost', name, measure, value],
    ...blank,
    formatOf(system),
  ];
  return [...figures.map(([name, value]) => row(name, '', value)), ...ratios.map((ratio) => row(...ratio))];
}

/** What is undefined has no row. */
function prefixed(
  prefix: string,
  values: Readonly<Record<string, number | null>> | null,
): Readonly<Record<string, number | null>> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [prefix + name, value]));
}

function formatOf({ imported }: BoardSystem): string | null {
  return imported?.format ?? null;
}

function heading({ id, family, complete, rank }: BoardSystem): Field[] {
  return [id, family, complete, rank?.micro ?? null];
}
