import { TenbinError } from '../core/errors.js';
import type { BoardInput, BoardTask, ImportedSystem, SystemResults } from './board-types.js';

/** Refuses what would end in a wrong board: a NaN, a series of another length, an id that stands twice or nowhere. */
export function checkBoardInput(input: BoardInput): void {
  const tasks = new Map(input.tasks.map((task) => [task.id, task]));
  refuseTwice('task', input.tasks);
  const { systems, imported = [] } = input;
  refuseTwice('system', [...systems, ...imported]);
  if (!input.measures.includes(input.primary)) {
    throw wrong('The measure to rank by is not among the measures', input.primary, 'Add it, or rank by one of them.');
  }
  if (!Number.isInteger(input.resamples) || input.resamples < 1) {
    throw wrong(
      'A bootstrap needs at least one resample',
      String(input.resamples),
      'Give a whole number such as 1000.',
    );
  }
  for (const system of systems) checkSystem(system, tasks, input.measures);
  for (const system of imported) checkImported(system, tasks);
}

function refuseTwice(kind: string, items: readonly { readonly id: string }[]): void {
  const seen = new Set<string>();
  for (const { id } of items) {
    if (seen.has(id)) throw wrong(`A ${kind} stands twice on the board`, id, 'Give each one once.');
    seen.add(id);
  }
}

type Tasks = ReadonlyMap<string, BoardTask>;

function checkSystem(system: SystemResults, tasks: Tasks, measures: readonly string[]): void {
  for (const [id, { values }] of system.tasks) {
    const task = taskOf(id, system.id, tasks);
    for (const measure of measures) {
      for (const series of Object.values(values.get(measure) ?? {})) {
        checkSeries(series, task, `${measure}, ${id}, ${system.id}`);
      }
    }
  }
}

function checkImported(system: ImportedSystem, tasks: Tasks): void {
  for (const [id, { values }] of system.tasks) {
    taskOf(id, system.id, tasks);
    for (const [measure, { value }] of values) {
      if (!Number.isFinite(value)) throw notFinite(`${value}: ${measure}, ${id}, ${system.id}`, 'Import it again.');
    }
  }
}

function taskOf(id: string, system: string, tasks: Tasks): BoardTask {
  const task = tasks.get(id);
  if (task !== undefined) return task;
  throw wrong('A system has results on a task that the board lacks', `${id}, ${system}`, 'Add the task.');
}

function checkSeries(series: Float64Array, task: BoardTask, where: string): void {
  if (series.length !== task.queries) {
    const counts = `${series.length} for ${task.queries}: ${where}`;
    throw wrong('A measure has not one value per query of the task', counts, 'Score the run on the same nano-set.');
  }
  const bad = series.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return;
  const fix = 'This is a fault of the measure or of the run: score the run alone to see which.';
  throw notFinite(`${series[bad]} at query ${bad + 1}: ${where}`, fix);
}

function notFinite(value: string, fix: string): TenbinError {
  return new TenbinError('not-finite', { what: 'A measure is not a finite number', value, fix });
}

function wrong(what: string, value: string, fix: string): TenbinError {
  return new TenbinError('malformed', { what, value, fix });
}
