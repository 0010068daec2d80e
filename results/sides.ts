import { byCodePoint } from '../core/order.js';
import type { ComparedQuery, ComparedValues } from './compare.js';
import type { TieColumns } from './types.js';

/** One side of a comparison or of a gate: the values of one system, task by task. */
export interface Side {
  /** What it was read from, for people. */
  readonly label: string;
  /** What is paired with the other side. A board holds means of tasks only, so its unit is the task. */
  readonly unit: 'query' | 'task';
  /** Decimals that the values were rounded to; null where they are exact. */
  readonly decimals: number | null;
  readonly tasks: readonly SideTask[];
  /** Why it has no task, where there is more to say than that. */
  readonly lacks?: string;
}

export interface SideTask {
  /** `suite/task`; of run files the name of the qrels. */
  readonly id: string;
  /** `language:ja` and the like: what holds for every query of the task. */
  readonly slices: readonly string[];
  /** Of the nano-set or of the judgements; sides with other digests were asked other things. */
  readonly digest: string;
  /** One unit where the side holds means of tasks. */
  readonly queries: readonly SideQuery[];
  /** `places`: the side knows no ids, only that its queries stand in the code-point order of them. */
  readonly queryIds?: 'given' | 'places';
  /** By canonical measure name; columns in the order of the queries. */
  readonly values: ReadonlyMap<string, TieColumns>;
  /** By dotted name, as `bytesPerDoc` or `opsPerQuery.postings`. */
  readonly costs: ReadonlyMap<string, number>;
}

export interface SideQuery {
  readonly id: string;
  readonly text: string | null;
  /** Besides those of the task. */
  readonly slices: readonly string[];
}

/** What two sides have in common, and what the candidate lacks. */
export interface Paired {
  readonly unit: Side['unit'];
  readonly queries: readonly ComparedQuery[];
  readonly base: ComparedValues;
  readonly candidate: ComparedValues;
  /** Tasks of the base that the candidate lacks or answered in another build. */
  readonly missing: readonly MissingTask[];
  /** Means over the tasks in common, each equal; a cost that a task lacks is not there. */
  readonly costs: { readonly base: ReadonlyMap<string, number>; readonly candidate: ReadonlyMap<string, number> };
}

export interface MissingTask {
  readonly task: string;
  readonly reason: string;
  readonly slices: readonly string[];
}

/** A task with its queries in the code-point order of their ids. */
export function inIdOrder(task: SideTask): SideTask {
  if (task.queryIds === 'places') return task;
  const order = [...task.queries.keys()].sort((a, b) => byCodePoint(task.queries[a].id, task.queries[b].id));
  return reordered(task, order);
}

/** The queries of a task at these places, in this order. */
export function reordered(task: SideTask, order: readonly number[]): SideTask {
  const pick = (column: Float64Array) => Float64Array.from(order, (i) => column[i]);
  const values = [...task.values].map(
    ([name, { expected, min, max }]) => [name, { expected: pick(expected), min: pick(min), max: pick(max) }] as const,
  );
  return { ...task, queries: order.map((i) => task.queries[i]), values: new Map(values) };
}

/** A cost as a baseline stores it: seven significant digits, as budgets of costs are percents. */
export function shortenedCost(cost: number): number {
  return Number.isInteger(cost) ? cost : Number(cost.toPrecision(7));
}
