import { TenbinError } from '../core/errors.js';
import type { ComparedQuery, ComparedValues } from './compare.js';
import {
  inIdOrder,
  type MissingTask,
  type Paired,
  reordered,
  type Side,
  type SideQuery,
  type SideTask,
  shortenedCost,
} from './sides.js';
import type { TieColumns } from './types.js';

/**
 * Puts two sides query beside query, task by task in the order of the base. A side that holds means of tasks makes the
 * other one such, and a side that was rounded has the other rounded alike, so that equal runs are tied. `keep` says which
 * slices are wanted. A measure that some task of a side lacks is left out.
 */
export function pairSides(left: Side, right: Side, keep: (slice: string) => boolean = () => true): Paired {
  const unit = left.unit === 'task' || right.unit === 'task' ? 'task' : 'query';
  const [base, candidate] = unit === 'task' ? [asMeans(left), asMeans(right)] : [left, right];
  const decimals = coarser(base.decimals, candidate.decimals);
  const asked = new Map(candidate.tasks.map((task) => [task.id, task]));
  const pairs: [SideTask, SideTask][] = [];
  const missing: MissingTask[] = [];
  for (const task of base.tasks) {
    const pair = pairOf(task, asked.get(task.id), candidate);
    if (typeof pair === 'string') missing.push({ task: task.id, reason: pair, slices: task.slices });
    else pairs.push(pair);
  }
  const [ours, theirs] = [pairs.map(([task]) => task), pairs.map(([, other]) => other)];
  return {
    unit,
    queries: pairs.flatMap(([task, other]) => queriesOf(task, other)).map(kept(keep)),
    base: columnsOf(ours, decimals),
    candidate: columnsOf(theirs, decimals),
    missing,
    costs: { base: meanCosts(ours, decimals), candidate: meanCosts(theirs, decimals) },
  };
}

function coarser(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

/** Both sides of a task with their queries in one order, or why there are not both. */
function pairOf(task: SideTask, other: SideTask | undefined, { label, lacks }: Side): [SideTask, SideTask] | string {
  if (other === undefined) return lacks ?? `${label} does not have it`;
  if (other.digest !== task.digest) return `${label} has another build of it`;
  if (task.queryIds === 'places' || other.queryIds === 'places') return byPlace(inIdOrder(task), inIdOrder(other));
  return [task, inOrderOf(task, other)];
}

/** Where one side knows places only, the other one's ids are taken. */
function byPlace(task: SideTask, other: SideTask): [SideTask, SideTask] {
  if (task.queries.length !== other.queries.length) throw otherQueries(task);
  return [task.queryIds === 'places' ? { ...task, queries: other.queries } : task, other];
}

/** The same queries in the order of the base. One digest with other queries is a damaged file. */
function inOrderOf(task: SideTask, other: SideTask): SideTask {
  const places = new Map(other.queries.map(({ id }, i) => [id, i]));
  const order = task.queries.map(({ id }) => places.get(id) ?? -1);
  if (order.includes(-1) || order.length !== other.queries.length) throw otherQueries(task);
  return reordered(other, order);
}

function otherQueries({ id }: SideTask): TenbinError {
  return new TenbinError('damaged', {
    what: 'Two sides give one digest for a task and have other queries in it',
    value: id,
    fix: 'Make both sides again from runs: one of the files was changed by hand.',
  });
}

function queriesOf(task: SideTask, other: SideTask): ComparedQuery[] {
  const ofTask = [...new Set([...task.slices, ...other.slices])];
  return task.queries.map((query, i): ComparedQuery => {
    const twin: SideQuery | undefined = other.queries[i];
    return {
      id: query.id,
      text: query.text ?? twin?.text ?? null,
      task: task.id,
      slices: [...new Set([...ofTask, ...query.slices, ...(twin?.slices ?? [])])],
    };
  });
}

function kept(keep: (slice: string) => boolean) {
  return (query: ComparedQuery): ComparedQuery => ({ ...query, slices: query.slices.filter(keep) });
}

/** Each task as one value: the mean over its queries. */
function asMeans(side: Side): Side {
  return side.unit === 'task' ? side : { ...side, unit: 'task', tasks: side.tasks.map(meanOfTask) };
}

function meanOfTask(task: SideTask): SideTask {
  const mean = (column: Float64Array) =>
    Float64Array.of(column.length === 0 ? 0 : column.reduce((sum, value) => sum + value, 0) / column.length);
  const values = [...task.values].map(
    ([name, { expected, min, max }]) => [name, { expected: mean(expected), min: mean(min), max: mean(max) }] as const,
  );
  return { ...task, queries: [{ id: task.id, text: null, slices: [] }], values: new Map(values) };
}

/** One column per measure that every task has, tasks one after the other. */
function columnsOf(tasks: readonly SideTask[], decimals: number | null): ComparedValues {
  const names = [...(tasks[0]?.values.keys() ?? [])];
  return new Map(
    names.flatMap((name) => {
      const columns = tasks.flatMap(({ values }) => values.get(name) ?? []);
      return columns.length === tasks.length ? [[name, joined(columns, decimals)] as const] : [];
    }),
  );
}

function joined(columns: readonly TieColumns[], decimals: number | null): TieColumns {
  const together = (key: keyof TieColumns) => {
    const column = new Float64Array(columns.reduce((length, each) => length + each[key].length, 0));
    let at = 0;
    for (const each of columns) {
      column.set(each[key], at);
      at += each[key].length;
    }
    return decimals === null ? column : column.map((value) => rounded(value, decimals));
  };
  return { expected: together('expected'), min: together('min'), max: together('max') };
}

/** A value as a baseline stores it: a whole number of units of the last decimal, divided again. */
export function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}

/** Means over the tasks, each equal, of the costs that all of them have. */
function meanCosts(tasks: readonly SideTask[], decimals: number | null): ReadonlyMap<string, number> {
  const stored = (cost: number) => (decimals === null ? cost : shortenedCost(cost));
  const names = [...(tasks[0]?.costs.keys() ?? [])];
  return new Map(
    names.flatMap((name) => {
      const values = tasks.flatMap(({ costs }) => costs.get(name) ?? []);
      if (values.length < tasks.length) return [];
      return [[name, values.reduce((sum, value) => sum + stored(value), 0) / values.length] as const];
    }),
  );
}
