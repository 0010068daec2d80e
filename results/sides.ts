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
